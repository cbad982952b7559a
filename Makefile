GO ?= go
PREFIX ?= /usr/local
CONCURRENT = ./cmd/... ./internal/ipcread/... ./internal/groupby/...

help:   ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

build:  ## build ./arrowagg
	$(GO) build -trimpath -ldflags='-s -w' -o arrowagg ./cmd/arrowagg

test:   ## all tests
	$(GO) test ./...

race:   ## the concurrent packages under the race detector
	$(GO) test -race -short $(CONCURRENT)

generate: ## make testdata anew
	$(GO) run ./testdata/gen

fmt:    ## format the source
	gofmt -w cmd internal testdata

clean:  ## remove what was built
	rm -rf arrowagg dist

.PHONY: help build test race generate fmt clean
