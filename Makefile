# deck: everything a person or a machine runs by name. Needs Go, git and make;
# tools come from the Go module proxy, test programs from Debian's packages.
GO      ?= go
BIN     := bin
PREFIX  ?= $(HOME)/.local
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X deck/term/wire.Version=$(VERSION)
LINT    := $(BIN)/golangci-lint-v2.15.0
FUZZ    ?= 20s
BENCH   ?=
AGENTS  ?= all

.PHONY: run build install test test-agents race check bench fuzz lint fmt cover clean deps

build: ## the binaries, ./deck and the reporter that agents' hooks call, ./deck-hook
	$(GO) build -ldflags '$(LDFLAGS)' -o deck .
	$(GO) build -ldflags '$(LDFLAGS)' -o deck-hook ./hooks/deck-hook

run: build ## build and open deck
	./deck

install: build ## into $(PREFIX)/bin
	install -D -m 0755 deck $(DESTDIR)$(PREFIX)/bin/deck
	install -D -m 0755 deck-hook $(DESTDIR)$(PREFIX)/bin/deck-hook
	@case ":$$PATH:" in *:$(PREFIX)/bin:*) ;; *) echo '$(PREFIX)/bin is not in your PATH: export PATH="$(PREFIX)/bin:$$PATH"';; esac

deps: ## the programs that tests drive, where they can be installed
	@./.ci/deps

test: deps ## every test once
	$(GO) test ./...

test-agents: build ## the real agents of $(AGENTS), from the npm registry, in a real deck
	cd hooks/realtest && DECK_TEST_BINARY=$(CURDIR)/deck DECK_TEST_AGENTS='$(AGENTS)' $(GO) test -count=1 -timeout 60m

race: deps ## every test once, with the race detector
	$(GO) test -race -count=1 -timeout 20m ./...

check: ## what CI holds every commit to
	@out=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$out" || { echo "not formatted: $$out"; exit 1; }
	$(GO) vet ./...
	$(MAKE) lint race

bench: build ## speed, beside tmux where it is installed
	$(GO) test -run '^$$' -bench . -benchmem ./...
	$(GO) run ./bench $(BENCH)

fuzz: ## each fuzz target for $(FUZZ)
	@set -e; grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | while read dir; do \
	  for f in $$(grep -ho '^func Fuzz[A-Za-z0-9_]*' $$dir/*_test.go | sed 's/func //'); do \
	    echo "$$dir $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZ) $$dir; done; done

lint: $(LINT)
	$(LINT) run ./...

$(LINT):
	@mkdir -p $(BIN)
	GOBIN=$(CURDIR)/$(BIN) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
	mv $(BIN)/golangci-lint $(LINT)

fmt:
	gofmt -w $$(git ls-files '*.go')

cover: deps
	$(GO) test -coverprofile=$(BIN)/cover.out ./... && $(GO) tool cover -func=$(BIN)/cover.out | tail -1

clean:
	rm -rf deck deck-hook $(BIN)
