# The commands of the project; `make` lists them. Settings are environment variables or arguments: `make run PORT=8080`.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# npm runs on the Node of the machine (20 or newer). Everything else runs on the Node that npm installs.
NODE := node_modules/.bin/node
INSTALLED := node_modules/.package-lock.json

# Concurrent installations would corrupt each other. Without flock, run one make at a time.
ALONE := $(if $(shell command -v flock 2>/dev/null),flock package-lock.json)

CACHE := $(CURDIR)/node_modules/.cache
TSC := $(NODE) node_modules/typescript/bin/tsc --noEmit --incremental

# Halves the time to load the sources.
export NODE_COMPILE_CACHE := $(CACHE)/compiled

WEB_SOURCES := $(shell find web contracts/src -type f -not -path '*/node_modules/*' -not -path 'web/dist/*' \
	-not -path 'web/e2e/*' -not -path 'web/docs/*' -not -name '*.test.ts' -not -name '*.test.tsx' 2>/dev/null)

# `make check` leaves slow tests to `make test`: whole pages, property tests, processes that are killed.
UNIT_TESTS := $(shell find contracts/src services/*/src tools/*/src tools/test web/src deploy -type f \( -name '*.test.ts' -o -name '*.test.tsx' \) \
	-not -path 'services/system-tests/*' -not -name '*-page.test.tsx' -not -name '*propert*.test.ts' -not -name '*.process.test.ts' \
	-not -name '*.engine.test.ts' -not -name '*.repository.test.ts' \
	2>/dev/null)
REPOSITORY_TESTS := $(shell find services/*/src deploy -name '*.repository.test.ts' -not -path '*/node_modules/*' 2>/dev/null)

.PHONY: help run setup test verify steady test-unit test-engines test-system test-e2e check types lint format format-check unit repository-tests coverage seed build bench faults rotate-keys screenshots recording lighthouse clean engines-up engines-down up down run-distributed

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: build ## Start the portal at http://localhost:3000 (PORT, DATA_DIR, … see docs/settings.md)
	@exec $(NODE) services/standalone/src/main.ts

# CIRCLE=verify runs all tests, with random seeds. ORDER=reverse, or a seed, runs the files in another order.
RUN_TESTS = browser=$$($(MAKE) setup) || { echo '0 passed, 1 failed'; exit 1; }; \
	CHROMIUM_PATH="$$browser" CIRCLE=$(CIRCLE) ORDER=$(ORDER) exec $(NODE) $(QUIET) tools/test/run.ts

setup: $(INSTALLED) ## Install what the tests need: engines, a browser, a font. As root, or with a sudo that asks for no password
	@tools/setup.sh

test: build ## Run the tests that every commit must pass, in about ten minutes; calls `make setup`
	@$(RUN_TESTS)

test-unit: build ## Of these, the ones that need no engine and no browser
	@CIRCLE=$(CIRCLE) ORDER=$(ORDER) $(NODE) $(QUIET) tools/test/run.ts unit

test-engines: build ## The adapters on Kafka, Redis and EventStoreDB's stand-in
	@$(RUN_TESTS) engines

test-system: build ## Whole portals: crashes, replays, backups
	@$(RUN_TESTS) system

test-e2e: build ## The main job and the essential journeys, in a browser
	@$(RUN_TESTS) e2e

verify: build ## Before a release: every test with random seeds, audit, faults, mutants; the table goes into test-results/verify.md
	@$(NODE) tools/test/verify.ts

steady: build ## Run `make test` N=5 times in changing order, with LOAD=1 beside a busy core, and fail if any test was unstable
	@browser=$$($(MAKE) setup) || exit 1; CHROMIUM_PATH="$$browser" $(NODE) $(QUIET) tools/test/steady.ts

check: $(INSTALLED) ## Types, lint, format and the quick tests
	@$(MAKE) -j types lint format-check unit repository-tests

types: $(INSTALLED)
	@$(TSC) -p tsconfig.json --tsBuildInfoFile $(CACHE)/types/services.json
	@$(TSC) -p web/tsconfig.json --tsBuildInfoFile $(CACHE)/types/web.json

lint: $(INSTALLED)
	@$(NODE) node_modules/oxlint/bin/oxlint --deny-warnings
	@$(NODE) tools/docs/src/main.ts

format: $(INSTALLED) ## Format all files
	@$(NODE) node_modules/prettier/bin/prettier.cjs --write --log-level warn --cache .

format-check: $(INSTALLED)
	@$(NODE) node_modules/prettier/bin/prettier.cjs --check --log-level warn --cache .

# The first run includes all tests. Later runs include failed ones and those whose modules have changed.
unit: $(INSTALLED)
	@$(NODE) node_modules/vitest/vitest.mjs run --project backend --project web \
		--maxWorkers=100% --no-isolate --silent=passed-only --reporter=minimal --since-last-run --passWithNoTests $(UNIT_TESTS)

# These tests read files without importing them, so changes cannot be tracked: they always run.
repository-tests: $(INSTALLED)
	@$(NODE) node_modules/vitest/vitest.mjs run --project backend --maxWorkers=1 --no-isolate --silent=passed-only \
		--reporter=minimal $(REPOSITORY_TESTS)

coverage: $(INSTALLED) ## List web/promises.md with the tests of each promise, and check it; SPEC=file also checks for gaps
	@$(NODE) services/ops/src/spec-coverage/main.ts

seed: $(INSTALLED) ## Fill a data folder with sample data, before `make run`: LEARNERS=1000; SAMPLE=0 makes learners only
	@$(NODE) services/ops/src/seed.ts

build: web/dist/index.html ## Build the web client if its sources have changed

bench: $(INSTALLED) ## Benchmark against baselines: QUICK=1 ONLY=send,append; ENGINES=1 adds Kafka and Redis; BASE=main adds that commit to `send`; TRACE=send counts calls instead
	@$(NODE) $(if $(ENGINES),$(REPLAY)) services/system-tests/src/bench/main.ts

faults: $(INSTALLED) ## Inject every fault (docs/testing.md) into separate portals, for most of an hour: ROWS=redis-older,one-killed
	@tools/setup.sh clock && $(NODE) $(QUIET) services/system-tests/src/faults/main.ts

.PHONY: audit mutants
audit: build ## Attack portals started for it on this machine, and print a table: ROWS=routes,sockets QUICK=1 SEED= JSON=1
	@$(NODE) $(QUIET) services/system-tests/src/audit/main.ts

mutants: $(INSTALLED) ## Mutate rules, deciders, prices, roles and facts, and check that a test fails: ONLY='services/auth/**' SINCE=v0.2.0
	@$(NODE) services/system-tests/src/mutants/main.ts

screenshots: build ## Take a screenshot of every screen into screenshots/ (HOSTILE=1 with texts that break layouts)
	@$(NODE) web/e2e/screenshots.ts

recording: build ## Record a send for the README into web/docs/portal.gif; needs ffmpeg
	@$(NODE) web/e2e/recording.ts

lighthouse: build ## Run Lighthouse on four pages (ONLY=/login for one); reports go into lighthouse/
	@$(NODE) web/e2e/lighthouse.ts

SBOM := sbom.cdx.json

.PHONY: sbom advisories
sbom: $(INSTALLED) ## List the production packages in CycloneDX format in sbom.cdx.json
	@$(NODE) services/ops/src/supply-chain/sbom-main.ts $(SBOM)

advisories: $(INSTALLED) ## Ask the npm registry for known vulnerabilities. UNCHECKED=warn: a registry that offers none fails nothing
	@$(NODE) services/ops/src/supply-chain/advisories-main.ts $(if $(UNCHECKED),--unchecked=$(UNCHECKED))

rotate-keys: $(INSTALLED) ## Sign new sessions with a new key; FORGET=1 ends all open sessions
	@$(NODE) services/ops/src/rotate-keys.ts $(if $(FORGET),--forget)

# kafkajs sets timers with negative delays; see services/platform/src/bus/kafka/kafkajs-workarounds.ts.
QUIET := --disable-warning=TimeoutNegativeWarning

.PHONY: admin grant-event-store scavenge status events why dead-letters dead-letters-retry doctor
status: $(INSTALLED) ## Show health and lag of all consumers; V=1 adds positions. JSON=1 prints data, as in the commands below
	@$(NODE) $(QUIET) services/ops/src/status/main.ts

events: $(INSTALLED) ## Browse the log: STREAM=, CATEGORY=, TYPE=, AFTER=, SINCE=10m, LIMIT= LONG=1; UNMASK=1 REASON='…'
	@$(NODE) $(QUIET) services/ops/src/events/main.ts

why: $(INSTALLED) ## Explain what happened to a notification of one user: USER=(id or email) NOTIFICATION=(id); USER= alone lists the last ten
	@$(NODE) $(QUIET) services/ops/src/explain/main.ts

dead-letters: $(INSTALLED) ## List messages that could not be applied: P=(projection) LIMIT=
	@$(NODE) $(QUIET) services/ops/src/dead-letters/main.ts

dead-letters-retry: $(INSTALLED) ## Retry dead letters after a confirmation: P= LIMIT=100 YES=1
	@$(NODE) $(QUIET) services/ops/src/dead-letters/retry-main.ts

# A replay keeps its data in memory. A larger young generation makes it about a tenth faster.
REPLAY := $(QUIET) --max-semi-space-size=64

.PHONY: replay replay-back
replay: $(INSTALLED) ## Rebuild the read models while the portal serves: P=inbox,devices FORCE=1; DRY_RUN=1 only shows the plan
	@$(NODE) $(REPLAY) services/ops/src/replay/main.ts

replay-back: $(INSTALLED) ## Switch back to the read models from before the last replay: P=
	@$(NODE) $(REPLAY) services/ops/src/replay/rollback-main.ts

.PHONY: backup backup-check backup-forget
backup: $(INSTALLED) ## Back up the log and the users' keys while the portal serves: BACKUP_DIR=./backups KEEP=7 (docs/backup.md)
	@$(NODE) $(QUIET) services/ops/src/backup/main.ts

backup-check: $(INSTALLED) ## Restore the newest backup, or FROM=, into a temporary folder, rebuild its read models and compare
	@$(NODE) $(REPLAY) services/ops/src/backup/check-main.ts

backup-forget: $(INSTALLED) ## Rewrite the backups without the keys of people who have been erased since
	@$(NODE) $(QUIET) services/ops/src/backup/forget-main.ts

.PHONY: restore move-log
restore: $(INSTALLED) ## Restore a backup into an empty data folder, while no portal runs: FROM=backups/portal-….backup ERASURES=FILE
	@$(NODE) $(REPLAY) services/ops/src/restore/main.ts

move-log: $(INSTALLED) ## Copy log and user keys into another event store, while no portal runs: TO=esdb://… or sqlite:FILE
	@$(NODE) $(REPLAY) services/ops/src/move-log/main.ts

# Reports missing packages itself, because the doctor changes nothing and so does not install them.
doctor: ## Report what is missing or misconfigured
	@test -x $(NODE) || { echo 'fail  npm packages  they are not installed. Do: make types'; exit 1; }
	@$(NODE) $(QUIET) services/ops/src/doctor/main.ts

admin: $(INSTALLED) ## Make an account an admin, or create one, and print a one-time link to set its password: EMAIL= REASON='…'
	@$(NODE) $(QUIET) services/ops/src/admin/main.ts

grant-event-store: $(INSTALLED) ## Let the portal's user read EventStoreDB's $$all: USER_NAME= ADMIN_URL= (docs/eventstoredb.md)
	@$(NODE) services/ops/src/grant-event-store.ts

scavenge: $(INSTALLED) ## Remove erased users' keys from the disk: ADMIN_URL=esdb://… REASON='…' (docs/eventstoredb.md)
	@$(NODE) services/ops/src/scavenge/main.ts

engines-up: $(INSTALLED) ## Start Redis, Kafka and EventStoreDB's stand-in in the background; with Docker, the real three
	@$(NODE) --disable-warning=TimeoutNegativeWarning tools/dev-cluster/src/engines/up.ts

engines-down: $(INSTALLED) ## Stop the engines; the data stays in engines/, unless CLEAN=1
	@$(NODE) tools/dev-cluster/src/engines/down.ts

run-distributed: build ## Start the portal as six processes on the engines of `make engines-up`, behind one address
	@exec $(NODE) tools/dev-cluster/src/portal/main.ts

up: $(INSTALLED) ## Start the portal, its engines and two gateways in Docker; secrets go into .env
	@$(NODE) deploy/compose/up.ts

down: $(INSTALLED) ## Stop the portal in Docker; the data stays in volumes, unless CLEAN=1
	@$(NODE) deploy/compose/down.ts

clean: ## Remove installed and built files; the data folder stays
	@rm -rf node_modules */node_modules services/*/node_modules web/dist test-results bench-results fault-results mutant-results lighthouse coverage

web/dist/index.html: $(INSTALLED) $(WEB_SOURCES)
	@echo 'Building the web client …'
	@$(NODE) node_modules/vite/bin/vite.js build web --logLevel warn
	@touch $@

$(INSTALLED): package-lock.json
	@command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 \
		|| { echo 'Node.js 20 or newer with npm is needed, and was not found: see https://nodejs.org' >&2; exit 1; }
	@node -e 'process.exit(parseInt(process.versions.node, 10) >= 20 ? 0 : 1)' \
		|| { echo "Node.js 20 or newer is needed; this is $$(node --version)" >&2; exit 1; }
	@$(ALONE) sh -c '[ $@ -nt package-lock.json ] && exit 0; \
		echo "Installing packages …"; npm ci --include=dev --no-audit --no-fund --loglevel=error && touch $@'
