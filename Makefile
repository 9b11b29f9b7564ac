# Every step of the build and of CI is a target here.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# These settings of the runtime take a fifth off the processor time of compilers and MSBuild, and a third off that of tests that
# compile. The built programs run without them.
COMPILER_RUNTIME := DOTNET_TieredPGO=0 DOTNET_gcServer=0 DOTNET_gcConcurrent=0 DOTNET_GCgen0size=0x8000000
DOTNET_BUILD := env $(COMPILER_RUNTIME) dotnet build -v q --nologo -nodeReuse:false
WEB := src/Plait.Report/web
PAGE := $(WEB)/dist/page.html
JUDGE := tests/Plait.Load.Tests/hdr
NPM_CI := npm ci --prefer-offline --no-audit --no-fund --loglevel=error

# The packages of the page. Those that only check it are installed by `make lint`.
WEB_PACKAGES = [ node_modules/.package-lock.json -nt package-lock.json ] || $(NPM_CI) --omit=dev

export COMPILER_RUNTIME
export DOTNET_CLI_TELEMETRY_OPTOUT := 1
export DOTNET_NOLOGO := 1
# to MSBuild a variable of the environment is a property of every project
unexport RUNTIME

.PHONY: help build web candidates tool run restore-run judge test test-more quick-test bench stress format lint docs trim aot pack browser wrk servers dotnet11 test-dotnet11 bench-dotnet11 pack-dotnet11 gallery-doctor soak-doctor clean

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  %-14s  %s\n", $$1, $$2 }'

web: $(PAGE) ## build the results page

$(PAGE): $(shell find $(WEB)/src -type f) $(WEB)/build.mjs $(WEB)/package-lock.json
	@cd $(WEB) && ($(WEB_PACKAGES))
	@cd $(WEB) && npm run --silent build

candidates: ## build every program that the lab measures
	@$(DOTNET_BUILD) candidates/Candidates.proj -c Release

build: web ## build everything, Release
	@$(DOTNET_BUILD) build/Together.proj -p:Of=all -c Release

tool: web ## put the runnable tool at artifacts/tool/plait
	@$(DOTNET_BUILD) build/Together.proj -p:Of=tool -c Release
	@dotnet publish src/Plait.Tool -c Release -v q --nologo --no-build -o artifacts/tool
	@rm -rf artifacts/tool/candidates && mkdir -p artifacts/tool/candidates && cp -r artifacts/bin/candidates/. artifacts/tool/candidates/

# The page is made while NuGet restores: the first project that is compiled has the page in it.
run: ## run the FizzBuzz comparison: ranked table and page in artifacts/lab/fizzbuzz-latest
	@$(MAKE) --no-print-directory -j2 web restore-run
	@$(DOTNET_BUILD) build/Together.proj -p:Of=run -c Release --no-restore
	@artifacts/bin/Plait.Tool/release/plait lab fizzbuzz --quick

restore-run:
	@env $(COMPILER_RUNTIME) dotnet restore build/Together.proj -p:Of=run -p:Configuration=Release -v q

judge: ## install the other implementation that histogram files are compared with; without it its tests are skipped
	@cd $(JUDGE) && ([ node_modules/.package-lock.json -nt package-lock.json ] || $(NPM_CI)) \
		|| echo "hdr-histogram-js could not be installed: the tests that compare with it are skipped"

test: ## build in Release and test each behaviour once, but for whole runs of three scenarios; PART=load (lab, tool, ...) tests one part
	@build/test.sh test $(PART)

test-more: ## build and run the tests that make test leaves out: other configurations, matrices, galleries, packaging
	@build/test.sh more $(PART)

quick-test: ## build the tests of the library in Debug or CONFIG=DebugInline, and run those whose names contain FILTER=...
	@build/quick-test.sh

bench: ## run the benchmarks and renew bench/results: in turn with goals, and by BenchmarkDotNet (15 minutes)
	@build/bench.sh

stress: build ## operations of every kind under failures, SECONDS=60
	@dotnet artifacts/bin/Plait.Stress/release/Plait.Stress.dll --seconds $(or $(SECONDS),60)

gallery-doctor: build ## the doctor on every program of samples/sick, TRIES=5 looks each, on .NET 10 or RUNTIME=8, 9 or 11
	@case "$(RUNTIME)" in \
		8 | 9) for language in csharp fsharp; do $(DOTNET_BUILD) samples/sick/$$language -c Release -p:Runtime=$(RUNTIME); done ;; \
		11) build/fsharp11/make.sh; export DOTNET_ROLL_FORWARD=LatestMajor ;; \
	esac; \
	PLAIT_DOCTOR_RUNTIME=$(RUNTIME) PLAIT_DOCTOR_TRIES=$(or $(TRIES),5) dotnet artifacts/bin/Plait.Doctor.Tests/release/Plait.Doctor.Tests.dll --no-progress --filter-class Plait.Doctor.Tests.Gallery

soak-doctor: build ## healthy load under plait doctor --watch must raise no alarm, FOR=10m
	@FOR=$(or $(FOR),10m) build/soak-doctor.sh

format: ## format the F# sources
	@dotnet tool restore > /dev/null
	@env $(COMPILER_RUNTIME) dotnet fantomas src candidates tests bench samples

lint: ## check formatting, types of the page and links of the docs
	@dotnet tool restore > /dev/null
	@env $(COMPILER_RUNTIME) dotnet fantomas --check src candidates tests bench samples
	@cd $(WEB) && ([ node_modules/typescript -nt package-lock.json ] || $(NPM_CI))
	@cd $(WEB) && npm run --silent check
	@node build/check-docs.mjs

docs: ## check the docs, compile and run their snippets, and make the site in artifacts/docs
	@dotnet tool restore > /dev/null
	@$(DOTNET_BUILD) src/Plait.ThreadPool -c Release
	@node build/check-docs.mjs --compile
	@node build/build-site.mjs

trim: ## publish a program with every builder, trimmed, and run it
	@build/check-trim.sh

aot: ## compile the same program to native code, and compare its output and its allocations
	@build/check-aot.sh

# NuGet keeps the packages that it has restored, so that a package must not change under its version. PACKAGE_VERSION=1.2.3 makes a release.
pack: web ## make the packages of the libraries and of the tool in artifacts/package/release, a new prerelease, and use both as a user does
	@rm -rf artifacts/package
	@version=$(or $(PACKAGE_VERSION),$$(sed -n 's:.*<Version>\(.*\)</Version>.*:\1:p' Directory.Build.props)-preview.$$(date -u +%Y%m%d%H%M%S)); \
		for project in Plait Plait.ThreadPool Plait.Tool; do env $(COMPILER_RUNTIME) dotnet pack src/$$project -c Release -v q --nologo -p:PackageVersion=$$version; done
	@build/check-package.sh
	@build/check-tool.sh

browser: ## install Debian's chromium without windows where there is none, or chromium; without it the tests of the page are skipped
	@build/packages.sh "the tests of the page" chromium-headless-shell:chromium-headless-shell,chromium:chromium

wrk: ## install Debian's wrk where there is none: plait attack is compared with it; without it that test is skipped
	@build/packages.sh "the tests that compare with it" wrk:wrk

servers: ## install Debian's nginx, haproxy, Apache and node where there are none, without starting them; without one the tests that attack it are skipped
	@build/packages.sh "the tests that attack it" nginx:nginx haproxy:haproxy apache2:apache2-bin node:nodejs

dotnet11: ## make the compiler of F# 11 and a .NET 11 runtime in artifacts/dotnet11, where no SDK 11 is installed
	@build/fsharp11/make.sh

test-dotnet11: ## the builders of Plait.RuntimeAsync, its package, and the library's own tests, on .NET 11
	@build/fsharp11/test.sh

bench-dotnet11: web ## measure runtime async and its compiler on .NET 11 and renew its reports in bench/results; PART=kernels, fizzbuzz, fizzboom or compile-time; LAUNCHES=8, BOOMS=8
	@build/fsharp11/bench.sh $(PART)

pack-dotnet11: dotnet11 ## make the package Plait.RuntimeAsync in artifacts/package/dotnet11, and the Plait that it needs
	@version=$(or $(PACKAGE_VERSION),$$(sed -n 's:.*<Version>\(.*\)</Version>.*:\1:p' Directory.Build.props)-preview.$$(date -u +%Y%m%d%H%M%S)); \
		rm -rf artifacts/package/dotnet11; \
		for project in Plait Plait.RuntimeAsync; do \
			dotnet pack src/$$project -c Release -v q --nologo -p:PackageVersion=$$version -o artifacts/package/dotnet11 || exit 1; \
		done; \
		echo "Plait and Plait.RuntimeAsync $$version are in artifacts/package/dotnet11."

clean: ## remove everything that was built
	@rm -rf artifacts $(WEB)/node_modules $(WEB)/dist $(JUDGE)/node_modules
