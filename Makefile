# The short way to everything. `make help` lists the targets.

SWIFT := $(shell infra/find-swift 2>/dev/null || echo swift)
# The standard library goes into the executables: they then start without the toolchain and share no search path.
RELEASE := -c release --static-swift-stdlib

.DEFAULT_GOAL := help
.PHONY: help setup setup-tests build models video demo pictures down test test-unit t watch contracts contracts-accept contracts-mutations mutations documents examples fuzz fuzz-media simulation \
	compose-test lint format hooks new-event new-private-event new-read-model new-service tsan truth accuracy bench clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: ## check Swift, install the Debian packages that are missing
	@infra/setup

setup-tests:
	@infra/setup --tests

build: setup ## build the services and the command line, optimised
	@infra/progress build "Building" $(SWIFT) build $(RELEASE)

models: setup
	@infra/fetch-models || echo "Going on without the speech model: pocketsphinx is used, and the report says so."

video: setup
	@infra/make-demo-video .mirrormate/demo/demo.mp4

demo: setup ## from nothing to a report: build, start everything, send the demo video
	@infra/prepare-demo $(SWIFT) build $(RELEASE)
	@./mirrormate demo

pictures: setup-tests ## the pictures in README, of the page and of the demo's report (docs/pictures); needs Debian's chromium and chromium-driver
	@$(SWIFT) build --quiet
	@infra/fetch-models
	@infra/make-demo-video .mirrormate/demo/demo.mp4
	@$$(infra/python-tools Tests/system/pytest.txt) -B Tests/system/page/pictures.py

down: ## stop everything that was started; data stays
	@./mirrormate down

test: setup-tests ## everything that can be tested, with a real PostgreSQL and, where given, a real Kafka
	@Tests/run

test-unit: setup-tests ## only the tests of `swift test`, without stress tests and long waits
	@Tests/run unit

t: ## build and run one test, suite, file or target alone: make t T=SessionRules
	@Tests/only $(if $(T),"$(T)",$(error Say which, as in: make t T=SessionRules))

watch: ## the same after every change of a source
	@Tests/watch $(if $(T),"$(T)",$(error Say which, as in: make watch T=SessionRules))

contracts: setup-tests ## what the services promise each other; SERVICE=quota for one alone
	@$(SWIFT) build --build-tests --quiet
	@.build/debug/mirrormate contracts check $(if $(SERVICE),--service $(SERVICE))
	@CONTRACTS_SERVICE=$(SERVICE) $(SWIFT) test --skip-build --disable-xctest --filter ContractPathTests

contracts-accept: setup-tests ## release what is new: write golden files that are not there yet (docs/contracts.md)
	@$(SWIFT) build --build-tests --quiet
	@CONTRACTS_ACCEPT=1 $(SWIFT) test --skip-build --disable-xctest --filter ContractPathTests.PublishingTests/path

contracts-mutations: setup-tests ## change code and contracts in some sixty ways: is each one judged rightly?
	@$(SWIFT) build --product mirrormate --quiet
	@SWIFT="$(SWIFT)" python3 -B Tests/system/contracts/mutate.py

mutations: setup-tests ## change the code in some five hundred ways, one line each: does a test notice? Goes on where it was; ONLY="a hole" for some
	@SWIFT="$(SWIFT)" python3 -B Tests/system/mutations/mutate.py $(if $(ONLY),--only "$(ONLY)")

documents: setup-tests ## write docs/events.md, configuration.md, asyncapi.json, openapi*.json and schemas from the code, and validate them
	@$(SWIFT) build --build-tests --quiet
	@.build/debug/mirrormate contracts documents
	@WRITE_DOCUMENTS=1 $(SWIFT) test --skip-build --disable-xctest --filter 'ContractPathTests.APITests/fresh|DeclarationTests.*configuration.md'
	@Tests/system/contracts/validate

examples: setup-tests ## take from a run of the tests what docs/api.html shows of requests and answers; then `make documents`
	@$(SWIFT) build --build-tests --quiet
	@seen=$$(mktemp) && ANSWERS_SEEN=$$seen .build/debug/MirrorMatePackageTests.xctest --testing-library swift-testing \
		--experimental-maximum-parallelization-width 4 --filter '(Service|Federation)Tests\.' && \
		"$$(infra/python-tools Tests/system/contracts/validators.txt)" -B Tests/system/contracts/examples.py "$$seen"; \
		status=$$?; rm -f "$$seen"; exit $$status

fuzz: setup-tests ## send the API what nobody would, by its own description, with and without a user
	@FUZZ_EXAMPLES="$${FUZZ_EXAMPLES:-100}" Tests/system/run fuzz

fuzz-media: setup-tests ## files that are mutated, cut and spliced, for the media helper with sanitizers; FUZZ_SECONDS=600 FUZZ_SEED=1
	@FUZZ_SECONDS="$${FUZZ_SECONDS:-600}" SYSTEM_TEST_SKIP_BUILD=1 Tests/system/run media/test_fuzz.py

compose-test: ## deploy with Docker Compose and try it; skipped without a Docker engine
	@Tests/system/run compose

lint: ## check the format of the sources
	@Tests/run lint

format: ## put the sources into the format
	@$(SWIFT) format --in-place --parallel --recursive Package.swift Shared Services Tests Examples

hooks: ## check what changed before each commit (infra/hooks)
	@git config core.hooksPath infra/hooks && echo "The hooks in infra/hooks run from now on; git commit --no-verify passes them by."

new-event: ## begin a published event: SERVICE=reporting NAME=ReportPrinted FOR=nobody FIELDS="printedAt:time" (CONTRIBUTING.md)
	@python3 -B infra/scaffold new-event $(if $(SERVICE),$(if $(NAME),"$(SERVICE)" "$(NAME)")) $(FIELDS) \
		$(if $(FOR),"for=$(FOR)") $(if $(WHY),"why=$(WHY)") $(if $(COMMAND),"command=$(COMMAND)") $(if $(MEANING),"meaning=$(MEANING)")

new-private-event: ## begin a private event alone: SERVICE=quota NAME=UnitLent COMMAND=lend
	@python3 -B infra/scaffold new-private-event $(if $(SERVICE),$(if $(NAME),"$(SERVICE)" "$(NAME)")) $(FIELDS) \
		$(if $(COMMAND),"command=$(COMMAND)") $(if $(MEANING),"meaning=$(MEANING)")

new-read-model: ## begin a read model: SERVICE=reporting NAME=PrintedReport
	@python3 -B infra/scaffold new-read-model $(if $(SERVICE),$(if $(NAME),"$(SERVICE)" "$(NAME)"))

new-service: ## begin a service: NAME=badges AGGREGATE=Badge
	@python3 -B infra/scaffold new-service $(if $(NAME),"$(NAME)") $(AGGREGATE)

simulation: ## relay and consumer over a log and a broker that break: 2,000 seeds, or SEED=17 alone with all that happened
	@$(if $(SEED),SIMULATION_SEED="$(SEED)" )Tests/run simulation

tsan: setup-tests ## the tests of Shared under the thread sanitizer
	@Tests/run tsan

truth: setup-tests ## make clips of known faults, and see whether the reports find them (Tests/system/truth); SAMPLE=1 for a few
	@$(SWIFT) build --product mirrormate-media --quiet && $(SWIFT) build --product coach --quiet
	@infra/fetch-models
	@Tests/system/truth/run $(if $(SAMPLE),--sample)

accuracy: setup-tests ## how exact it is where the truth is known: words, times, pauses, pitch, fillers, other languages, a second voice, a second encoding
	@$(SWIFT) build --product mirrormate-media --quiet && $(SWIFT) build --product coach --quiet
	@infra/fetch-models
	@Tests/system/truth/accuracy

bench: build ## measure, beside the peers; writes .mirrormate/bench.json
	@infra/bench

clean: ## stop everything, delete state and builds
	@if [ -x .build/release/mirrormate ] || [ -x .build/debug/mirrormate ]; then ./mirrormate down --erase --yes; fi
	@rm -rf .build
