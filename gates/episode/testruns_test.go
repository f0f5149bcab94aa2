package episode

import "testing"

// TestTestRuns: which lines show that tests passed, and their near twins that do not.
func TestTestRuns(t *testing.T) {
	for value, lines := range map[string][]string{
		"passed": {
			"pytest", "pytest -q", "pytest -vvx tests/", "pytest -n4 -rA --tb=short tests/test_a.py::test_b", "python -m pytest -k slow", "python3.12 -u -m unittest", "python -m unittest discover -s tests", "python manage.py test", "./manage.py test app",
			"go test ./...", "go test -race -count=1 ./... 2>&1", "go test -C sub ./...", "cargo test --workspace -- --nocapture", "cargo nextest run", "cargo +nightly test",
			"npx vitest run", "npx jest --ci", "npx jest", "uv run pytest", "poetry run pytest -q", "pipenv run pytest", "bundle exec rspec", "bundle exec rake test", "node --test", "node --test tests/a.js", "bun test", "deno test -A", "npm test", "npm run test:unit", "npm test -- --coverage", "yarn test", "pnpm test", "CI=1 npm test", "env CI=1 npm test",
			"make test", "make check", "make -C sub -j4 test", "make clean test", "ninja test", "just test", "./gradlew test", "gradle :app:test --no-daemon", "mvn -q -B verify", "./node_modules/.bin/jest", ".venv/bin/pytest", "vendor/bin/phpunit", "php artisan test", "ctest --output-on-failure", "dotnet test --no-build",
			"(pytest)", "{ pytest; }", "time pytest", "timeout 60 pytest", "bash -c 'pytest'", "bash -c 'cd sub && pytest'", "set -o pipefail; pytest | cat", "set -euo pipefail\npytest | tail -5", "cd sub && pytest", "cd sub || exit 1; pytest", "source .venv/bin/activate && pytest", "coverage run -m pytest", "coverage run --branch -m unittest",
			"sed -i s/a/b/ calc.py && pytest", "git checkout main && pytest", "pytest && git commit -am x", "pytest && echo ok", "pytest > /tmp/out", "t() { pytest; }; t", "pytest && cat a.py", "mkdir -p x; go test ./...",
		},
		"no": {
			"python -m unittest && sed -i s/a/b/ calc.py", "pytest && ./gen.sh", "pytest && rm calc.py", "pytest && git checkout other", "pytest && mv calc.py b", "pytest && frobnicate", "pytest > out.txt", "set -o pipefail; pytest | tee out.txt", "sed -i s/a/b/ a.py & pytest", "git checkout x & pytest", "{ pytest; rm a.py; }", "bash -c 'pytest && rm a.py'", "echo x > a.py; pytest && echo x > a.py", "(sleep 1; pytest) > a.py", "pytest && bash -c 'git stash'", "trap 'rm a.py' EXIT; pytest",
			"pytest --version", "pytest --help", "pytest -h", "pytest --collect-only", "pytest --co -q", "pytest --fixtures", "go test -c", "go test -list . ./...", "go test -n ./...", "go test -run '^$' ./...", "go test -run TestNone ./...", "go test -count=0 ./...", "go test -exec true ./...", "go vet ./...", "go test fmt", "cargo test --no-run", "cargo test none", "cargo test -- --list", "cargo nextest list", "cargo build", "make -n test", "make -nB test", "make -i test", "make -q check", "make test SHELL=true", "make lint", "make test-clean", "make build-tests", "jest --listTests", "npx jest --showConfig", "npx jest --passWithNoTests", "npx vitest list", "npx vitest bench", "mvn -DskipTests test", "mvn test-compile", "gradle test --dry-run", "gradle test -x test", "ctest -N", "ctest -R none", "npm test -- --listTests", "npm test --if-present", "npm run lint", "npm run check", "npm run test:watchless-setup", "node a.js --test", "dotnet test --list-tests", "rspec --dry-run", "phpunit --list-tests", "tox -l", "bats --count t", "python -m unittest -h", "python -c 'import unittest'", "python a.py test",
			"command -v pytest", "which pytest", "echo pytest", "pytest() { :; }; pytest", "function pytest { true; }\npytest -q", "alias pytest=true\npytest", "go() { return 0; }; go test ./...", "cd /tmp && python -m unittest", "cd / && pytest", "pytest /tmp/t", "pytest ../other", "make -C /tmp test", "go test -C /tmp ./...", "./pytest", "/tmp/bin/pytest", "PATH=/tmp:$PATH pytest", "PYTEST_ADDOPTS=--co pytest", "MAKEFLAGS=-n make test", "export MAKEFLAGS=-n; make test", "env PYTEST_ADDOPTS=--co pytest", "bash -c 'PYTEST_ADDOPTS=--co pytest'", "X=1 bash -c 'PYTEST_ADDOPTS=--co pytest'",
			"pytest || true", "pytest; true", "pytest | cat", "pytest |& tail", "! pytest", "pytest &", "pytest & wait", "if pytest; then :; fi", "if false; then pytest; fi", "while pytest; do break; done", "false || pytest", "true || pytest", "for i in; do pytest; done", "x=$(pytest)", "echo $(pytest)", "cat <(pytest)", "exit 0; pytest", "exit && pytest", "set -n; pytest", "bash -n -c pytest", "trap 'exit 0' EXIT; pytest", "bash -c 'pytest; true'", "bash -c 'pytest' || :", "set -o pipefail; bash -c 'pytest | cat'", "(set -o pipefail); pytest | cat", "set -o pipefail; set +o pipefail; pytest | cat", "watch pytest", "find . -exec pytest {} \\;", "xargs pytest < f", "ssh h pytest", "docker run x pytest", "t() { pytest; }", "t() { pytest; true; }; t", "npx --help jest", "pytest $X", "go test $(echo -c)",
		},
	} {
		for _, line := range lines {
			var m Memory
			m.Succeeded(ran(t, &m, line, 1))
			if got, _ := before(&m).Facts("tests"); got != value {
				t.Errorf("%s: %s, want %s", line, got, value)
			}
		}
	}
}

// TestRanCommands: which lines show that make lint ended well.
func TestRanCommands(t *testing.T) {
	for line, want := range map[string]string{
		"make lint": "yes", "make  lint 2>&1": "yes", "echo x > a; make lint": "yes", "make lint && git status": "yes", "cd sub && make lint": "yes",
		"make() { :; }; make lint": "no", "alias make=true\nmake lint": "no", "cd /tmp && make lint": "no", "make lint && rm a": "no", "make lint && git checkout x": "no", "make lint > a": "no",
		"rm a & make lint": "no", "exit 0; make lint": "no", "make lint || true": "no", "make lint; true": "no", "make lint | cat": "no", "export MAKEFLAGS=-n; make lint": "no", "make lint -n": "no",
	} {
		var m Memory
		m.Succeeded(ran(t, &m, line, 1))
		if got, _ := before(&m).Facts("ran make lint"); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
