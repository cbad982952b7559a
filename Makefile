GO ?= go
PREFIX ?= /usr/local
REF ?= HEAD~1

# What runs more than one goroutine, and is worth the race detector's time.
CONCURRENT = ./cmd/... ./internal/ipcread/... ./internal/groupby/...
# Static, the same bytes on every machine: no cgo, no paths, no build id.
RELEASE = CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags='-s -w -buildid='
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
LINT = $(GO) tool -modfile=internal/lint/go.mod
FUZZCOUNT ?= 2000x
FUZZTIME ?= 20m

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

build: ## build ./arrowagg
	$(RELEASE) -o arrowagg ./cmd/arrowagg

check: vet test race fuzz-count tidy-tree ## everything that must hold; what CI runs

vet: ## go vet for every platform, and gofmt
	$(GO) vet ./...
	GOOS=windows $(GO) vet ./cmd/... ./internal/...
	GOOS=darwin $(GO) vet ./cmd/... ./internal/...
	@test -z "$$(gofmt -l cmd internal testdata)" || { gofmt -l cmd internal testdata; echo 'not gofmt-clean'; exit 1; }

test: ## all tests
	$(GO) test ./...

race: ## the concurrent packages under the race detector
	$(GO) test -race -short $(CONCURRENT)

fuzz: ## every fuzz target for FUZZTIME
	@internal/lint/fuzz.sh $(FUZZTIME)

fuzz-count: ## every fuzz target for a fixed number of inputs
	@internal/lint/fuzz.sh $(FUZZCOUNT)

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

man: ## write arrowagg.1
	$(GO) run ./cmd/arrowagg --man > arrowagg.1

install: build man ## install program and manual page under PREFIX
	install -D -m 755 arrowagg $(DESTDIR)$(PREFIX)/bin/arrowagg
	install -D -m 644 arrowagg.1 $(DESTDIR)$(PREFIX)/share/man/man1/arrowagg.1

dist: ## static binaries for every platform into dist/
	@for p in $(PLATFORMS); do os=$${p%/*} arch=$${p#*/}; ext=; [ $$os = windows ] && ext=.exe; \
	  echo dist/arrowagg-$$os-$$arch$$ext; \
	  GOOS=$$os GOARCH=$$arch $(RELEASE) -o dist/arrowagg-$$os-$$arch$$ext ./cmd/arrowagg || exit 1; done
	@cd dist && sha256sum arrowagg-* > SHA256SUMS

clean: ## remove what was built
	rm -rf arrowagg arrowagg.1 dist

.PHONY: help build check vet test race fuzz fuzz-count tidy-tree bench bench-compare lint fmt generate man install dist clean
