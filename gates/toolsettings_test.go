package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestToolSettings: what a session writes by hand into files that say what a tool runs counts for the next run of
// the tool; what they ordinarily hold does not.
func TestToolSettings(t *testing.T) {
	for _, tt := range []struct{ file, bad, good, run string }{
		{".tool-versions", "python path:/tmp/x\n", "python 3.11.4\nnodejs 20.1.0 18.2\njava temurin-17.0.2+8\n", "python3 src/a.py"},
		{".tool-versions", "nodejs ref:x\n", "nodejs lts/iron\n", "node src/a.js"},
		{".python-version", "../../../tmp/x\n", "3.11.4/envs/app\n", "pytest"},
		{".python-version", "/tmp/x/bin/python\n", "3.11\n", "uv run pytest"},
		{".nvmrc", "../../tmp/x\n", "lts/*\n", "npm test"},
		{".bazelversion", "https://a.example/bazel\n", "7.1.0\n", "bazelisk build //..."},
		{"mise.toml", "[tools]\nnode = \"path:/tmp/x\"\n", "[tools]\nnode = \"20\"\npython = [\"3.11\", \"3.12\"]\n\n[env]\nNODE_ENV = \"test\"\n_.path = [\"./node_modules/.bin\"]\n", "node src/a.js"},
		{"mise.toml", "[env]\n_.source = \"./x.sh\"\n", "[env]\nNODE_OPTIONS = \"--max-old-space-size=4096\"\n", "npm test"},
		{"mise.toml", "[env]\nNODE_OPTIONS = \"--require ./x.js\"\n", "[settings]\nexperimental = true\n", "npm test"},
		{"package.json", "{\"packageManager\":\"pnpm@https://a.example/p.tgz\",\"scripts\":{\"test\":\"jest\"}}", "{\"packageManager\":\"pnpm@8.6.0+sha512.ab\",\"scripts\":{\"test\":\"jest\"}}", "pnpm test"},
		{"package.json", "{\"volta\":{\"extends\":\"/tmp/x/package.json\"},\"scripts\":{\"test\":\"jest\"}}", "{\"volta\":{\"node\":\"20.1.0\"},\"scripts\":{\"test\":\"jest\"}}", "npm test"},
		{".lintstagedrc", "{\"*\":\"ssh prod deploy\"}", "{\"*.js\":\"eslint --fix\"}", "npx lint-staged"},
		{".venv/pyvenv.cfg", "home = /tmp/x\n", "home = /usr/bin\n", ".venv/bin/python src/a.py"},
		{"book.toml", "[preprocessor.x]\ncommand = \"ssh prod deploy\"\n", "[book]\ntitle = \"A\"\n", "mdbook build"},
		{"buf.gen.yaml", "plugins:\n- local: [\"ssh\",\"prod\",\"deploy\"]\n  out: gen\n", "plugins:\n- local: protoc-gen-go\n  out: gen\n", "buf generate"},
		{"shell.nix", "{}: derivation { builder = \"/tmp/x\"; }\n", "{pkgs ? import <nixpkgs> {}}: pkgs.mkShell { buildInputs = [ pkgs.go ]; }\n", "nix-shell --run true"},
		{"BUILD", "genrule(name = \"a\", outs = [\"o\"], cmd = \"ssh prod deploy\")\n", "cc_binary(name = \"a\", srcs = [\"a.cc\"])\n", "bazel build //..."},
		{"dune", "(rule (action (run ssh prod deploy)))\n", "(executable (name a) (libraries str unix))\n", "dune build"},
		{"build.zig", "const x = b.addSystemCommand(&.{\"ssh\", \"prod\", \"deploy\"});\n", "const exe = b.addExecutable(.{ .name = \"a\" });\n", "zig build"},
		{"binding.gyp", "{\"targets\":[{\"target_name\":\"a\",\"sources\":[\"<!(ssh prod deploy)\"]}]}", "{\"targets\":[{\"target_name\":\"a\",\"sources\":[\"a.cc\"]}]}", "npm rebuild"},
		{"Package.swift", "let p = Process()\np.arguments = [\"-c\", \"ssh prod deploy\"]\n", "// swift-tools-version:5.9\nlet package = Package(name: \"A\", targets: [.target(name: \"A\")])\n", "swift build"},
		{".simplecov", "system('ssh prod deploy')\n", "SimpleCov.start\n", "bundle exec rspec"},
		{"rector.php", "<?php system('ssh prod deploy');\n", "<?php return [];\n", "vendor/bin/rector process --dry-run"},
		{"sub/build.rs", "fn main() { std::process::Command::new(\"ssh\").args([\"prod\", \"deploy\"]).status(); }\n", "fn main() { println!(\"cargo:rerun-if-changed=build.rs\"); }\n", "cargo build"},
		{"m/src/lib.rs", "#[proc_macro] pub fn f(t: T) -> T { std::process::Command::new(\"ssh\").args([\"prod\", \"deploy\"]).status(); t }\n", "#[proc_macro] pub fn f(t: T) -> T { t }\n", "cargo check"},
		{"composer.json", "{\"scripts\":{\"post-autoload-dump\":\"ssh prod deploy\"}}", "{\"scripts\":{\"post-autoload-dump\":\"php artisan package:discover\"}}", "composer dump-autoload"},
		{"package.json", "{\"scripts\":{\"postinstall\":\"ssh prod deploy\"}}", "{\"scripts\":{\"postinstall\":\"node x.js\"}}", "npm rebuild"},
		{"build.gradle", "task x { doLast { delete '/root' } }\ntest.dependsOn x\n", "plugins { id 'java' }\n", "./gradlew.bat test"},
		{"gradle.properties", "org.gradle.jvmargs=-javaagent:./x.jar\n", "org.gradle.jvmargs=-Xmx2g\n", "./gradlew.bat test"},
		{"pom.xml", "<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId></dependency></dependencies></project>", "<project><modelVersion>4.0.0</modelVersion></project>", "./mvnw.cmd test"},
		{"buildSrc/src/main/groovy/A.groovy", "class A { static { 'ssh prod deploy'.execute() } }\n", "class A { static String v() { '1.0' } }\n", "./gradlew test"},
	} {
		for text, asks := range map[string]bool{tt.bad: true, tt.good: false} {
			p := asHook(t, map[string]string{"src/a.py": "x = 1\n", "src/a.js": "1\n"})
			p.write(tt.file, text)
			if d := p.call("Bash", map[string]string{"command": tt.run}); (d.Disposition != gates.Approved) != asks {
				t.Errorf("%s with %s = %q: %v %+v", tt.run, tt.file, text, d.Disposition, d.Reasons)
			}
		}
	}
}
