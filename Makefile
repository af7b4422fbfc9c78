# The commands of the house. Everything works with nothing but PATH set.

GO     ?= go
TOOL    = $(GO) tool -modfile=tools/go.mod
BENCH  ?= .
COUNT  ?= 1

.PHONY: mutants bank build dist page wheels beam test test-flink test-long test-short lint fmt bench bench-peers fuzz clean

build: ## the program, in bin/, without the tables that only debuggers read
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o bin/ ./cmd/...

dist: ## the program for five systems, archives with checksums, in dist/
	$(GO) run ./scripts/dist -o dist

page: ## the workbench as one page that needs no program, dist/moiety.html
	$(GO) run ./scripts/page -o dist/moiety.html

wheels: ## the Python package for five systems, in dist/
	$(GO) run ./scripts/wheels -o dist

beam: build ## moiety-beam, for clusters, in bin/
	cd beam && CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o ../bin/ ./cmd/...

test-flink: ## sums added up by Apache Flink; fetches 152 MB of jars once (needs java, mvn)
	sh beam/flink/test.sh fetch

test: ## everything: lint, all tests, race tests, other systems; ends with the list of skips
	sh scripts/test.sh

test-long: ## the long forms of the tests: kills, damages, sweeps
	sh scripts/test.sh long

test-short: ## the quick part of the tests
	sh scripts/test.sh short

lint: ## format, vet, staticcheck
	sh scripts/test.sh lint

fmt: ## rewrites the Go files in the house format
	$(TOOL) gofumpt -w .

bench: ## go benchmarks; BENCH=regexp chooses, COUNT=10 repeats (for benchstat)
	CGO_ENABLED=0 $(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./...

bench-peers: ## whole runs beside other tools, in their own virtual environment
	CGO_ENABLED=0 $(GO) run -C bench .

bank: build ## the choosing part of the bank of laws, beside the program in bin/; a table (bank/README.md)
	$(GO) run -C bank ./cmd/bank run -program ../bin/moiety -out ../bin/choose.jsonl
	$(GO) run -C bank ./cmd/bank table ../bin/choose.jsonl

fuzz: ## ten seconds for every fuzz target
	sh scripts/fuzz.sh

mutants: ## small wrong changes, one at a time: how many the tests notice, by area
	$(GO) run -C tools ./mutants

clean:
	rm -rf bin dist
