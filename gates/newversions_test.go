package gates

import "testing"

// TestPinnedVersions: an upgrade of what a file pins brings in nothing new, as long as the file is
// as it was before the session.
func TestPinnedVersions(t *testing.T) {
	const root = "/srv/code/p"
	there := map[string]string{
		root + "/pinned.txt": "# by hand\nflask==3.0.0 \\\n    --hash=sha256:abc\nrich == 13.1\n",
		root + "/open.txt":   "flask==3.0.0\nrich>=13\n",
		root + "/star.txt":   "flask==3.*\n",
		root + "/more.txt":   "flask==3.0.0\n-r open.txt\n",
		root + "/empty.txt":  "\n",
	}
	s := State{Cwd: root, Roots: []string{root}, Home: "/home/me", UID: 1000, GID: 1000}
	s.Exists = func(path string) bool { _, ok := there[path]; return ok || path == root }
	s.Text = func(path string) (string, bool) { text, ok := there[path]; return text, ok }
	for line, asks := range map[string]bool{
		"pip install -U -r pinned.txt":                            false,
		"pip install --upgrade --requirement=pinned.txt":          false,
		"pip install -U -r pinned.txt -r open.txt":                true,
		"pip install -U -r star.txt":                              true,
		"pip install -U -rmore.txt":                               true,
		"pip install -U -r empty.txt":                             true,
		"pip install -U -r not-there.txt":                         true,
		"pip install -U --upgrade-strategy=eager -e .":            true,
		"echo rich >> pinned.txt && pip install -U -r pinned.txt": true,
	} {
		c := ShellContext(line, s)
		if d := (&Guardrail{}).Decide(&c); (d.Disposition != Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}

// TestUnlockedVersions: what a manifest names comes in unasked where a lock file holds the versions,
// and asks where none does.
func TestUnlockedVersions(t *testing.T) {
	const root = "/srv/code/p"
	there := map[string]string{
		root + "/js/package.json":        `{"devDependencies":{"a":"^1"}}`,
		root + "/empty/package.json":     `{"name":"a"}`,
		root + "/held/package.json":      `{"dependencies":{"a":"^1"}}`,
		root + "/held/package-lock.json": `{}`,
		root + "/held/b/package.json":    `{"dependencies":{"a":"^1"}}`,
		root + "/py/pyproject.toml":      "dependencies = ['a']\n",
		root + "/py2/pyproject.toml":     "dependencies = ['a']\n",
		root + "/py2/uv.lock":            "x\n",
		root + "/rb/Gemfile":             "gem 'a'\n",
		root + "/c/conanfile.txt":        "[requires]\nfmt/10.2.1\n",
		root + "/c2/conanfile.txt":       "[requires]\nfmt/10.2.1\n",
		root + "/c2/conan.lock":          "{}",
		root + "/ios/Podfile":            "pod 'A'\n",
		root + "/ex/mix.exs":             "defp deps, do: []\n",
		root + "/ex2/mix.exs":            "[{:a, \"~> 1\"}]\n",
		root + "/php/composer.json":      `{"require":{"a/b":"^1"}}`,
		root + "/dart/pubspec.yaml":      "dependencies:\n  a: any\n",
		root + "/sw/Package.swift":       ".package(url: \"https://a.example\")\n",
	}
	s := State{Cwd: root, Roots: []string{root}, Home: "/home/me", UID: 1000, GID: 1000}
	s.Exists = func(path string) bool { _, ok := there[path]; return ok || path == root }
	s.Text = func(path string) (string, bool) { text, ok := there[path]; return text, ok }
	for line, asks := range map[string]bool{
		"cd js && npm install":                                      true,
		"cd js && npm i --no-audit":                                 true,
		"cd js && yarn":                                             true,
		"cd js && pnpm install":                                     true,
		"cd js && bun install":                                      true,
		"npm --prefix js install":                                   true,
		"npm install --prefix=js":                                   true,
		"cd py && uv sync --all-extras":                             true,
		"cd py && poetry install":                                   true,
		"cd rb && bundle install --jobs 4":                          true,
		"cd rb && bundle":                                           true,
		"cd php && composer install":                                true,
		"cd dart && dart pub get":                                   true,
		"cd dart && flutter pub get":                                true,
		"cd ex2 && mix deps.get":                                    true,
		"cd ios && pod install --repo-update":                       true,
		"cd sw && swift package resolve":                            true,
		"conan install c --build=missing -of build":                 true,
		"cd c && conan create .":                                    true,
		"cd c && conan graph info .":                                true,
		"cd c2 && conan install --requires=a/1.0":                   true,
		"cd c2 && conan install . --tool-requires a/1.0":            true,
		"cd held && rm -rf node_modules package-lock.json; npm i":   true,
		"cd held && git rm -q package-lock.json && npm install":     true,
		"cd held && mv package-lock.json old.json && npm install":   true,
		"cd held && npm install":                                    false,
		"cd held/b && npm install":                                  false,
		"npm --prefix held install":                                 false,
		"npm install --prefix=held":                                 false,
		"cd empty && npm install":                                   false,
		"cd js && npm ci":                                           false,
		"cd js && pnpm install --frozen-lockfile":                   false,
		"cd js && npm install --package-lock-only --ignore-scripts": false,
		"cd js && yarn test":                                        false,
		"cd py && uv sync --frozen":                                 false,
		"cd py2 && uv sync --all-extras":                            false,
		"cd rb && bundle install --local":                           false,
		"cd ex && mix deps.get":                                     false,
		"cd ios && pod install --deployment":                        false,
		"cd dart && flutter pub get --offline":                      false,
		"cd c && conan install . -nr -of build":                     false,
		"conan install c2 --build=missing -of build":                false,
		"cd c2 && conan install . --lockfile=conan.lock":            false,
	} {
		c := ShellContext(line, s)
		if d := (&Guardrail{}).Decide(&c); (d.Disposition != Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
	s.Exists = nil // where nobody looks, nobody can tell
	if c := ShellContext("npm install", s); (&Guardrail{}).Decide(&c).Disposition != Approved {
		t.Error("npm install asks without a host that looks")
	}
}
