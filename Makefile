GO ?= go
PREFIX ?= /usr/local
BINARY = arrowagg
BIN = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share
REF ?= HEAD~1

# What runs more than one goroutine, and is worth the race detector's time.
CONCURRENT = ./cmd/... ./internal/ipcread/... ./internal/groupby/... ./internal/spill/...
# Static, the same bytes on every machine: no cgo, no paths, no build id. The tag
# makes arrow-go take the standard library's JSON, which is linked in any case
# and never run, in place of another 1.6 MB.
RELEASE = CGO_ENABLED=0 $(GO) build -tags=arrow_json_stdlib -trimpath -buildvcs=false -ldflags='-s -w -buildid='
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# What else could make a release differ: the compiler's version and its settings.
TOOLCHAIN ?= go1.26.8
PINNED = GOTOOLCHAIN=$(TOOLCHAIN) GOFLAGS= GOEXPERIMENT= GOFIPS140=off GOAMD64=v1 GOARM64=v8.0 GOWORK=off
LINT = $(GO) tool -modfile=internal/lint/go.mod
FUZZCOUNT ?= 2000x
FUZZTIME ?= 20m
SOAK ?= 30m
SEED ?=

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

build: ## build ./arrowagg, or BINARY
	$(RELEASE) -o $(BINARY) ./cmd/arrowagg

check: vet test processor race fuzz-count tidy-tree ## everything that must hold; what CI runs

vet: ## go vet for every platform, and gofmt
	$(GO) vet ./...
	GOOS=windows $(GO) vet ./cmd/... ./internal/...
	GOOS=darwin $(GO) vet ./cmd/... ./internal/...
	@test -z "$$(gofmt -l cmd internal testdata)" || { gofmt -l cmd internal testdata; echo 'not gofmt-clean'; exit 1; }

test: ## all tests
	$(GO) test ./...

processor: ## the numbers are the same where the compiler may fuse products
	GOAMD64=v3 $(GO) test -short ./internal/exact ./internal/groupby

race: ## the concurrent packages under the race detector
	$(GO) test -race -short $(CONCURRENT)

fuzz: ## every fuzz target for FUZZTIME
	@internal/lint/fuzz.sh $(FUZZTIME)

fuzz-count: ## every fuzz target for a fixed number of inputs
	@internal/lint/fuzz.sh $(FUZZCOUNT)

soak: ## random questions and faults for SOAK, judged; one round with SEED
	$(GO) test ./cmd/arrowagg -run '^TestSoak$$' -count 1 -timeout 0 -v -args $(if $(SEED),-soak.seed $(SEED),-soak $(SOAK))

tidy-tree: generate ## nothing generated differs from what is committed
	@git diff --exit-code --stat -- testdata || { echo 'generated files differ'; exit 1; }

bench: ## Go benchmarks of the parts, for benchstat
	$(GO) test -run '^$$' -bench . -benchmem ./internal/...

bench-compare: ## the same on REF and here, compared by benchstat
	@bench/gobench.sh $(REF)

lint: ## staticcheck and gofumpt
	$(LINT) staticcheck ./...
	@test -z "$$($(LINT) gofumpt -l cmd internal testdata)" || { $(LINT) gofumpt -l cmd internal testdata; exit 1; }

fmt: ## format the source
	$(LINT) gofumpt -w cmd internal testdata

generate: ## make testdata anew
	$(GO) run ./testdata/gen

man: build ## write arrowagg.1
	./arrowagg --man > arrowagg.1

install: build man ## install program, manual page and completions under PREFIX
	install -d $(BIN) $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
	  $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	install -m 755 arrowagg $(BIN)/arrowagg
	install -m 644 arrowagg.1 $(SHARE)/man/man1/arrowagg.1
	install -m 644 cmd/arrowagg/completion/arrowagg.bash $(SHARE)/bash-completion/completions/arrowagg
	install -m 644 cmd/arrowagg/completion/arrowagg.zsh $(SHARE)/zsh/site-functions/_arrowagg
	install -m 644 cmd/arrowagg/completion/arrowagg.fish $(SHARE)/fish/vendor_completions.d/arrowagg.fish

uninstall: ## take away what install put under PREFIX
	rm -f $(BIN)/arrowagg $(SHARE)/man/man1/arrowagg.1 $(SHARE)/bash-completion/completions/arrowagg \
	  $(SHARE)/zsh/site-functions/_arrowagg $(SHARE)/fish/vendor_completions.d/arrowagg.fish

dist: ## static binaries for every platform into dist/
	@rm -rf dist
	@for p in $(PLATFORMS); do os=$${p%/*} arch=$${p#*/}; ext=; [ $$os = windows ] && ext=.exe; \
	  echo dist/arrowagg-$$os-$$arch$$ext; \
	  $(PINNED) GOOS=$$os GOARCH=$$arch $(RELEASE) -o dist/arrowagg-$$os-$$arch$$ext ./cmd/arrowagg || exit 1; done
	@cd dist && sha256sum arrowagg-* > SHA256SUMS

dist-check: ## the release of the last commit, built twice, is the same bytes
	@internal/lint/dist-check.sh

clean: ## remove what was built
	rm -rf arrowagg arrowagg.1 dist

.PHONY: help build check vet test processor race fuzz fuzz-count soak tidy-tree bench bench-compare lint fmt generate man install uninstall dist dist-check clean
