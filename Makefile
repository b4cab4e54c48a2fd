# Everything starts here. `make run` and `make test` install what is missing and say so.
SHELL := /bin/bash
.PHONY: help run package package-test build-release test check autobahn autobahn-quick bench bench-fanout bench-orders bench-ledger bench-storage bench-markets bench-operate bench-charts bench-page bench-png bench-trading bench-consultation web model simulation trading kills linearizable chaos soak fuzz format lint clean setup-run setup-test sanitize

# What `make run` hands to `candlewire serve`, for example: make run ARGS="--port 9000 --rate 500"
ARGS ?=
# How often `make chaos` cuts the connection.
CUTS ?= 1000

# Market time that `make soak` plays.
HOURS ?= 24

# Random sequences of `make trading`.
SEQUENCES ?= 100000

# Past orders of `make bench-ledger`; a million where it is empty.
ORDERS ?=

# Candles of `make bench-storage`; five million where it is empty.
ROWS ?=

# Rounds of `make linearizable`, each with new accounts and a server that is killed.
ROUNDS ?= 50

# How often `make kills` kills the server.
KILLS ?= 200

# Simulated hours of `make simulation` (`make test` runs 120), and the seed of the first 30.
simulation: HOURS = 2000
SEED ?= 1

# Steps of `make model`.
STEPS ?= 1000000

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

run: build-release ## build everything and start the server with the simulated exchange
	@exec .build/release/candlewire serve $(ARGS)

package: setup-run ## a tar.gz, a Debian package and a Python wheel, in .build/packages
	@Scripts/build-server --small --page
	@echo "==> packing"
	@Scripts/package

package-test: setup-test package ## installs and starts each package in a bare system (root; debootstrap where it is there)
	@CANDLEWIRE_PACKAGES=.build/packages .build/venv/bin/python -m pytest -v -s Tests/Packages

build-release: setup-run
	@Scripts/build-server --page

test: setup-test ## all tests: Swift, independent oracles, and the page in a real browser
	@Scripts/test

check: setup-test ## the inner loop: format, types of the page, tests of the core; under 90 s when built
	@Scripts/test check

autobahn: ## the Autobahn test suite against our server and our client, all 517 cases (10 minutes)
	@Scripts/build-server
	@Scripts/autobahn

autobahn-quick: ## the same without the slow groups 9, 12 and 13
	@Scripts/build-server
	@Scripts/autobahn --quick

chaos: setup-test ## a thousand cut connections while a recorded session plays; CUTS=N for another number
	@echo "==> building the tests (the first time takes some minutes)"
	@swift build --build-tests
	@CANDLEWIRE_CHAOS_CUTS=$(CUTS) swift test --skip-build --no-parallel --filter ChaosRunTests

soak: setup-test web ## a day of trades, 20 a second, through the page as fast as it takes them; HOURS=N for another length
	@Scripts/build-server
	@CANDLEWIRE_SOAK_HOURS=$(HOURS) CANDLEWIRE_BIN=.build/release/candlewire .build/venv/bin/python -m pytest -s Tests/Browser/test_soak.py

bench: setup-test web ## benchmarks, release build
	@Benchmarks/run

bench-fanout: ## delivery to 1 to 5,000 readers and memory per connection, beside other servers
	@Benchmarks/fanout

bench-orders: setup-run ## orders accepted over HTTP, each acknowledged when it is on disk, beside SQLite alone
	@Benchmarks/orders

bench-ledger: setup-run ## starts of a server whose ledger has a million past orders; ORDERS=N for another number
	@Scripts/build-server --small
	@Benchmarks/ledger $(if $(ORDERS),--orders $(ORDERS))

bench-storage: setup-run ## candles written and read, 5,000,000 of them, beside SQLite's C API; exports; ROWS=N for another number
	@Benchmarks/storage $(if $(ROWS),--rows $(ROWS))

bench-markets: setup-run ## a server with 12, 1,000 and 10,000 markets: start, memory of each, processor at 100,000 trades a second
	@Benchmarks/markets

bench-operate: setup-test web ## figures under attack and in operation: dripping clients, no descriptors, a stop with hostile clients, backups, starts
	@Benchmarks/operate

bench-charts: setup-test web ## the page's chart in Chromium, up to a million bars, beside Lightweight Charts
	@Benchmarks/charts/run

bench-page: setup-test web ## the page of the packages: address to first chart, cold and warm, and what a trade costs it
	@Scripts/build-server --small
	@Benchmarks/page/run

bench-png: setup-run ## a PNG of 500 candles, natively, beside mplfinance and matplotlib
	@Benchmarks/png

bench-trading: ## the paper exchange beside NautilusTrader's backtest engine
	@Benchmarks/trading

bench-consultation: ## a thousand conversations answered at once, fifty words a second each: how old words are, and memory
	@Benchmarks/consultation

web: setup-run ## the engine, chart and session, as WebAssembly: Web/candlewire.wasm
	@Scripts/build-web

model: setup-test ## client, server and a faulty network through a million random steps, some minutes
	@swift build --build-tests
	@CANDLEWIRE_MODEL_STEPS=$(STEPS) swift test --skip-build --no-parallel --filter ModelTests

simulation: setup-test ## server, readers and traders while disk, network, clock and venue fail; HOURS=N of the simulation, SEED=S
	@swift build --build-tests
	@CANDLEWIRE_SIMULATION_HOURS=$(HOURS) CANDLEWIRE_SIMULATION_SEED=$(SEED) swift test --skip-build --no-parallel --filter ServerSimulationTests

trading: setup-test ## a hundred thousand random sequences of orders and trades against plain book-keeping, some minutes
	@swift build --build-tests
	@CANDLEWIRE_TRADING_SEQUENCES=$(SEQUENCES) swift test --skip-build --no-parallel --filter TradingPropertyTests

kills: setup-test ## orders stream in while the server is killed (kill -9) two hundred times; KILLS=N for another number
	@Scripts/build-server
	@CANDLEWIRE_KILLS=$(KILLS) CANDLEWIRE_BIN=.build/release/candlewire .build/venv/bin/python -m pytest -s Tests/System/test_trading_kill.py

linearizable: setup-test ## fifty rounds of clients that use the same accounts at the same time, and a kill -9: does one order explain all answers? ROUNDS=N for another number
	@Scripts/build-server
	@CANDLEWIRE_ROUNDS=$(ROUNDS) CANDLEWIRE_BIN=.build/release/candlewire .build/venv/bin/python -m pytest -s Tests/System/test_linearizable_orders.py

fuzz: ## libFuzzer on the JSON scanner, the frame path, each venue's messages and REST answers, the tracker, a minute each
	@Scripts/fuzz

sanitize: ## ThreadSanitizer and AddressSanitizer over transport, session and streams (long)
	@Scripts/sanitize

FORMATTED = Sources Tests Examples Fuzz Benchmarks/Sources Benchmarks/Package.swift Package.swift

format: ## swift format over all sources
	@swift format --in-place --parallel --configuration .swift-format -r $(FORMATTED)

lint: ## what swift format would change
	@swift format lint --strict --parallel --configuration .swift-format -r $(FORMATTED)

clean: ## remove everything that was built
	@rm -rf .build Benchmarks/.build Web/*.wasm

setup-run:
	@Scripts/setup run

setup-test:
	@Scripts/setup test
