# Targets are listed by "make help". CI=true makes a missing tool a failure.
GO ?= go

.PHONY: help test left-out verify pin verify-full gallery compare gen check-gen unit bench bench-lanes stress mutants mutate mutate-update fuzz module

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

test: check-gen unit verify left-out ## everything: formatting, vet, generated files, tests with -race, TLC, the graphs

left-out:
	@command -v java >/dev/null && command -v mvn >/dev/null || echo "left out: everything with TLC, for want of java or mvn"
	@command -v npm >/dev/null || echo "left out: Mermaid's own parser, for want of npm"
	@command -v npm >/dev/null && python3 -c 'import ensurepip, venv' 2>/dev/null || echo "left out: the comparison with other libraries, for want of npm or python3 with venv"

# What is pinned of the tables, of the rejected designs and of the gallery.
MANIFEST = spec/manifest.txtar
MACHINES = spec/*.yaml spec/rejected/*.yaml
VERIFIED = $(MACHINES) spec/gallery/*.yaml

verify: ## put the tables before the explorer and TLC, compare the graphs, and all that with the manifest
	$(GO) run ./gen/interlock verify --manifest $(MANIFEST) $(VERIFIED)

pin: ## write the manifest anew
	$(GO) run ./gen/interlock verify --manifest $(MANIFEST) --update $(VERIFIED)

verify-full: ## the same without the gallery, with every graph compared edge by edge
	$(GO) run ./gen/interlock verify --full --manifest $(MANIFEST) $(MACHINES)

gallery: ## published models as tables: their numbers of states, for the explorer and TLC
	$(GO) run ./gen/gallery

compare: ## put small inputs to other libraries too and write docs/comparison.md: make compare CHECK=1 only looks
	$(GO) run ./gen/compare $(if $(CHECK),--check)

gen: ## write all generated files
	$(GO) run ./gen/interlock gen

# All that has Go in it. Nothing here asks git, since it must do in an unpacked
# archive, too.
FOLDERS = fsm gen lanes spec tla

check-gen: ## fail if a file is not formatted, not vetted, or not what its table says
	@test -z "$$(gofmt -l $(FOLDERS))" || { gofmt -l $(FOLDERS); echo "run gofmt -w"; exit 1; }
	$(GO) mod tidy -diff
	$(GO) vet ./...
	@for d in $(NESTED); do echo "$(GO) -C $$d vet ./..."; $(GO) -C $$d mod tidy -diff && $(GO) -C $$d vet ./... || exit 1; done
	$(GO) run ./gen/interlock gen --check

# Where goroutines meet, the race detector watches: in package lanes over fewer
# histories, since those of the whole run take ten times as long under it. The
# generated machines and the generator have no goroutines.
RACE = ./fsm ./lanes/... ./tla

# Modules of their own, so that who imports lanes carries none of what they need.
NESTED = lanes/lanesotel lanes/lanesprom

# One package more than processors at a time: some wait for a JVM. No test finds
# the repository around it, so that none needs one.
unit: export GIT_CEILING_DIRECTORIES = $(CURDIR)
unit: ## all tests; those of fsm, lanes and tla with the race detector too
	$(GO) test -race -short -timeout 20m $(RACE)
	$(GO) test -p $$(( $$(nproc 2>/dev/null || echo 2) + 1 )) -timeout 20m ./...
	@for d in $(NESTED); do echo "$(GO) -C $$d test ./..."; $(GO) -C $$d test ./... || exit 1; done

bench: ## steps of the generated machines beside hand-written ones; of the lane looplab/fsm and qmuntal/stateless too
	$(GO) test -run '^$$' -bench . -benchmem -count 6 ./fsm/lane ./fsm/queue ./fsm/session

bench-lanes: ## project lanes beside a mutex, a semaphore and a channel; turns and hand-overs beside bare channels
	$(GO) test -run '^$$' -bench . -benchmem -count 6 ./lanes

# How long make stress goes on.
STRESS ?= 2m

stress: ## random concurrent use of lanes with the race detector, two minutes: make stress STRESS=10m
	LANES_STRESS=$(STRESS) $(GO) test -race -run '^TestStress$$' -count 1 -timeout 0 -v ./lanes

mutants: ## changes to the source of lanes, each of which a test must notice: some minutes
	LANES_MUTANTS=all $(GO) test -run '^TestMutants$$' -count 1 -timeout 0 -v ./lanes

# The tables take most of it, and the printer of TLA+ needs TLC.
mutate: ## mutants of the tables, and of the generators: what notices each; six minutes
	INTERLOCK_MUTANTS=all $(GO) test -run '^(TestPinned|TestGenerators)$$' -count 1 -timeout 0 -v ./gen/mutate

mutate-update: ## the same for the tables, and write down what notices each
	INTERLOCK_MUTANTS=all $(GO) test -run '^TestPinned$$' -count 1 -timeout 0 ./gen/mutate -update

fuzz: ## each fuzz target for half a minute
	@for f in $$(grep -rhoE '^func Fuzz[A-Za-z]+' --include='*_test.go' . | cut -d' ' -f2); do \
	  p=$$(dirname $$(grep -rlE "^func $$f\(" --include='*_test.go' . | head -1)); \
	  echo "$$f in $$p"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime 30s $$p || exit 1; done

module: ## rewrite the module's path: make module TO=example.org/you/interlock
	@test -n "$(TO)" || { echo "usage: make module TO=example.org/you/interlock"; exit 2; }
	grep -rlF "$$($(GO) list -m)" --include='*.go' --include=go.mod --include='*.txtar' --include='*.md' --include='*.yaml' README.md docs go.mod $(FOLDERS) | xargs sed -i "s|$$($(GO) list -m)|$(TO)|g"
