package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// relaxedCode are principles by which inline code passes that only reads and prints, and the code
// that comes nearest to it and must ask.
var relaxedCode = []struct {
	principle    string
	passes, asks []string
}{
	{
		"an attribute by a call with a constant name is that attribute",
		[]string{
			`python3 -c "import ast; print([n for n in ast.walk(ast.parse(open('src/a.py').read())) if getattr(n.func, 'id', '') in ('eval', 'exec')])"`,
			`python3 -c "import mine; print(getattr(mine, '__version__', '?'), getattr(getattr(mine, 'a', None), 'b'))"`,
		},
		[]string{
			`python3 -c "import os; getattr(os, 'system')('touch /etc/x')"`, `python3 -c "import os; getattr(os, 'sys' + 'tem')('id')"`, `python3 -c "from pathlib import Path; getattr(Path('/etc/x'), 'write_text')('a')"`,
			`python3 -c "from pathlib import Path; f = getattr(Path('src/a.py'), 'unlink', None); f()"`, `python3 -c "import mine; getattr(mine, 'x').__globals__"`, `python3 -c "import mine; getattr(mine, '__class__')"`,
			`python3 -c "import mine; getattr(getattr(mine, 'os'), 'system')('id')"`, `python3 -c "import mine; map(getattr, [mine], ['system'])"`, `python3 -c "import mine; g = getattr; g(mine, 'x')"`,
			`python3 -c "import mine; n = 'x'; getattr(mine, n)"`, `python3 -c "import mine; getattr(*[mine, 'system'])"`, `python3 -c "import builtins; getattr(builtins, 'eval')('1')"`, `python3 -c "import mine; print(f'{getattr(mine, \"system\")(1)}')"`,
			`python3 -c "import mine; getattr(mine, 'a' 'b')"`, `python3 -c "import mine; mine.getattr(mine, 'x')"`, `python3 -c "import mine; getattr(mine, 'os', getattr(mine, 'q').system)('id')"`,
		},
	},
	{
		"modules of the library that read what they are given",
		[]string{
			`python3 -c "import configparser; c = configparser.ConfigParser(); c.read('setup.cfg'); print(c.sections(), c.get('a', 'b'))"`, `python3 -c "import plistlib; print(plistlib.load(open('Info.plist', 'rb'))['A'])"`,
			`python3 -c "import pkgutil, mine; print([m.name for m in pkgutil.iter_modules(mine.__path__)])"`, `python3 -c "from importlib.metadata import version, requires; print(version('flask'), requires('flask'))"`,
			`python3 -c "import importlib.metadata; print(importlib.metadata.version('flask'))"`, `python3 -c "from importlib import metadata; print(metadata.version('flask'))"`,
			`python3 -c "import zipfile; z = zipfile.ZipFile('a.zip'); print(z.namelist(), z.open('a.txt').read())"`, `python3 -c "import gzip, bz2, lzma; print(gzip.GzipFile('a.gz').read(), bz2.BZ2File('a.bz2').read(), lzma.LZMAFile('a.xz').read())"`,
		},
		[]string{
			`python3 -c "import configparser, os; c = configparser.ConfigParser(); c.read(os.environ['X']); print(c.sections())"`, `python3 -c "import configparser as x; c = x.ConfigParser(); c.read('/home/u/' + '.netrc')"`,
			`python3 -c "import configparser; c = configparser.ConfigParser(); f = c.read; f('a' + input())"`, `python3 -c "import configparser, mine; c = mine.parser(); c.read(mine.p)"`, `python3 -c "import configparser; c = configparser.ConfigParser(); list(map(c.read, [input()]))"`,
			`python3 -c "from configparser import ConfigParser as C; C().read(input())"`, `python3 -c "import configparser; configparser.ConfigParser().read(['a', input()])"`, `python3 -c "import configparser; configparser.os.system('id')"`,
			`python3 -c "import importlib; importlib.import_module('os').system('id')"`, `python3 -c "import importlib.metadata as m; m.entry_points()[0].load()"`, `python3 -c "import importlib as i; i.reload(1)"`, `python3 -c "from importlib import util"`,
			`python3 -c "import importlib.metadata as m; m.os.system('id')"`, `python3 -c "import pkgutil; pkgutil.resolve_name('os:system')('id')"`, `python3 -c "import zipfile; zipfile.ZipFile('a.zip').open('a', 'w').write(b'x')"`,
			`python3 -c "import zipfile; zipfile.ZipFile('a.zip', 'w').open('a', 'w').write(b'x')"`, `python3 -c "import gzip; gzip.GzipFile('/etc/x', 'w').write(b'x')"`, `python3 -c "import lzma; print(lzma.LZMAFile('/home/u/.ssh/id_rsa').read())"`,
			`python3 -c "import tarfile; print(tarfile.open('a.tar').open('/home/u/b.tar').getnames())"`,
			`python3 -c "import plistlib; plistlib.dump({}, open('/home/u/Library/LaunchAgents/x.plist', 'wb'))"`, `python3 -c "import plistlib; plistlib.sys.exit()"`,
		},
	},
	{
		"a page of the application itself is no file",
		[]string{
			"python - <<'E'\nfrom fastapi.testclient import TestClient\nfrom mine.app import app\nr = TestClient(app).post('/upload', params={'n': 3})\nprint(r.status_code, r.json())\nE",
			"python - <<'E'\nfrom mine import app\nwith app.test_client() as c:\n    print(c.get('/items/1?x=2').data)\nE",
		},
		[]string{
			`python3 -c "from mine import c; c.get('/etc/passwd')"`, `python3 -c "from mine import c; c.put('/home/u/.ssh/id_rsa')"`, `python3 -c "from mine import c; c.get('/etc/x')"`, `python3 -c "from mine import c; c.get('/upload/../etc/x')"`,
			"python - <<'E'\nimport django\ndjango.setup()\nfrom django.test import Client\nprint(Client().post('/orders/purge/').status_code)\nE", "python - <<'E'\nimport django\ndjango.setup()\nfrom mine.models import Order\nOrder.objects.all().delete()\nE",
			"python - <<'E'\nfrom fastapi.testclient import TestClient\nfrom mine.app import app\nprint(TestClient(app).delete('/users/1').status_code)\nE", "python - <<'E'\nfrom fastapi.testclient import TestClient\nfrom mine.app import app\nprint(TestClient(app).delete(f'/users/{1}').status_code)\nE", "APP_ENV=production python - <<'E'\nfrom fastapi.testclient import TestClient\nfrom mine.app import app\nprint(TestClient(app).post('/users').status_code)\nE",
			`python3 -c "from mine import c; c.load_from('/upload')"`, `python3 -c "from fastapi.testclient import os; os.system('id')"`, `python3 -c "import fastapi.testclient as t; t.anyio.open_process(['id'])"`, `python3 -c "import django; django.core.management.call(1)"`,
			`python3 -c "from django.test import os"`, `python3 -c "open('/upload', 'w').write('x')"`, `python3 -c "from fastapi import FastAPI; FastAPI()"`,
		},
	},
	{
		"the directory that pytest gives a test is the test's own",
		[]string{"cat > tests/test_c.py <<'E'\nfrom mine import config\ndef test_x(tmp_path, monkeypatch):\n    monkeypatch.setenv('HOME', str(tmp_path))\n    p = tmp_path / 'c.json'\n    p.write_text('{}')\n    assert config(p) == {}\nE\npytest tests/test_c.py"},
		[]string{
			"cat > tests/test_c.py <<'E'\nimport mine\ndef test_x(tmp_path):\n    (tmp_path / 'x').write_text('x')\ntest_x(mine.p)\nE\npytest tests/test_c.py",
			"cat > tests/test_c.py <<'E'\nimport pytest, mine\n@pytest.mark.parametrize('tmp_path', [mine.p])\ndef test_x(tmp_path):\n    (tmp_path / 'x').write_text('x')\nE\npytest tests/test_c.py",
			"cat > tests/test_c.py <<'E'\nimport pytest, mine\n@pytest.fixture\ndef tmp_path():\n    return mine.p\ndef test_x(tmp_path):\n    (tmp_path / 'x').write_text('x')\nE\npytest tests/test_c.py",
			"cat > tests/test_c.py <<'E'\nimport mine\n@mine.given\ndef test_x(tmp_path):\n    (tmp_path / 'x').write_text('x')\nE\npytest tests/test_c.py",
			"cat > tests/test_c.py <<'E'\nimport mine\ndef test_x(tmp_path):\n    tmp_path = mine.p\n    (tmp_path / 'x').write_text('x')\nE\npytest tests/test_c.py",
			"cat > tests/test_c.py <<'E'\ndef test_x(tmp_path):\n    (tmp_path / '../../../../srv/x').write_text('x')\nE\npytest tests/test_c.py",
			"cat > tests/test_c.py <<'E'\nimport mine\ndef run(tmp_path):\n    (tmp_path / 'x').write_text('x')\nE\npytest tests/test_c.py",
			"cat > tests/test_c.py <<'E'\nimport mine\ndef pytest_generate_tests(metafunc):\n    metafunc.parametrize('tmp' + '_path', [mine.p])\ndef test_x(tmp_path):\n    (tmp_path / 'x').write_text('x')\nE\npytest tests/test_c.py",
			"cat > tests/conftest.py <<'E'\nimport mine\nfrom mine import tmp_path\nE\ncat > tests/test_c.py <<'E'\ndef test_x(tmp_path):\n    (tmp_path / 'x').write_text('x')\nE\npytest tests/test_c.py",
			"cat > tests/test_c.py <<'E'\nimport shutil\ndef test_x(tmp_path):\n    shutil.rmtree(tmp_path)\nE\npytest --basetemp=src tests/test_c.py", "cat > tests/test_c.py <<'E'\nimport shutil\ndef test_x(tmp_path):\n    shutil.rmtree(tmp_path)\nE\npython3 -c 'from tests.test_c import test_x; import mine; test_x(mine.p)'",
			"cat > tests/test_c.py <<'E'\nimport mine\ndef test_x(other):\n    (other / 'x').write_text('x')\nE\npytest tests/test_c.py",
		},
	},
	{
		"Elixir that computes with functions that only compute",
		[]string{
			`mix run --no-start -e 'IO.inspect(Version.match?("1.2.3", "~> 1.2"))'`, `elixir -e 'IO.inspect(Enum.map(1..3, &(&1 * 2)))'`, `elixir -e 'IO.inspect(Enum.map(["a"], &String.upcase/1)); IO.inspect(Enum.any?([1], &(&1 > 0)))'`,
		},
		[]string{
			`elixir -e 'Enum.map(["x"], &File.rm!/1)'`, `elixir -e 'Enum.map([:os], &(&1.cmd("id")))'`, `elixir -e 'Enum.map([&File.rm/1], &(&1.("x")))'`, `elixir -e 'IO.puts ~s(#{File.read!("/etc/passwd")})'`, `elixir -e 'IO.puts "#{System.cmd("id", [])}"'`, `elixir -e 'IO.inspect(File.exists?("/home/u/x"))'`,
			`elixir -e 'x = ?"; System.halt(1); y = ?"'`, `elixir -e 'IO.puts ?"; File.rm "x"; IO.puts ?"'`, `elixir -e '@x System.cmd("id", [])'`, `mix run --no-start --require x.exs -e 'IO.puts(1)'`, `mix run --no-start -e 'Code.eval_string("1")'`, `mix run --config x.exs -e 'IO.puts(1)'`,
			`elixir -e 'IO.puts(~S(") <> System.get_env("x") <> ~S("))'`,
		},
	},
	{
		"code that only asks a library something",
		[]string{
			`bin/rails runner 'require "sidekiq/api"; puts Sidekiq::Queue.new.size, Sidekiq::RetrySet.new.size'`, `bin/rails runner 'Sidekiq::RetrySet.new.each { |j| puts j.klass, j.error_message }' | sort | uniq -c`, `bin/rails runner 'puts Sidekiq::Queue.new("default").latency'`,
			`php -r 'require "vendor/autoload.php"; echo Illuminate\Foundation\Application::VERSION;'`, `php -r 'require __DIR__."/vendor/autoload.php"; echo Composer\InstalledVersions::getVersion("laravel/framework"), PHP_EOL;'`,
			`node -e "WebAssembly.instantiate(require('fs').readFileSync('target/a.wasm')).then(m=>console.log(m.instance.exports.add(2,3)))"`, `node -e "console.log(require('v8').getHeapStatistics().heap_size_limit/1e6)"`, `deno eval 'console.log(await Deno.readTextFile("README.md"))'`,
		},
		[]string{
			`bin/rails runner 'Sidekiq::RetrySet.new.each { |j| j.delete }'`, `bin/rails runner 'Sidekiq::RetrySet.new.clear'`, `bin/rails runner 'Sidekiq::RetrySet.new.each(&:retry)'`, `bin/rails runner 'Sidekiq::RetrySet.new.each { |j| puts j.klass; system("id") }'`, `bin/rails runner 'SyncJob.new.size'`, `bin/rails runner 'SyncJob.queue'`,
			`bin/rails runner 'Sidekiq::Queue.new.each { |j| puts j.klass.constantize.new.perform }'`, `RAILS_ENV=production bin/rails runner 'puts Sidekiq::Queue.new.size'`, `bin/rails runner 'Sidekiq::Queue.new.each { |p| p p.delete }'`, `bin/rails runner 'require "open3"; puts Sidekiq::Queue.new.size'`, `bin/rails runner 'Sidekiq::Queue.new.each { |j| File.delete(j.args) }'`,
			`php -r 'require "vendor/autoload.php"; echo App\X::run();'`, `php -r 'require "/opt/vendor/autoload.php"; echo X::VERSION;'`, `php -r 'require "vendor/autoload.php"; echo X::VERSION; unlink("x");'`, `php -r 'require "vendor/autoload.php"; echo $argv[1]::VERSION;'`, "php -r 'require \"vendor/autoload.php\"; echo X::VERSION . `id`;'",
			`echo '<?php system("touch /etc/x");' > vendor/autoload.php; php -r 'require "vendor/autoload.php"; echo X::VERSION;'`, `echo '<?php system("touch /etc/x"); class X {}' > X.php; php -r 'require "vendor/autoload.php"; echo X::VERSION;'`,
			`node -e "WebAssembly.instantiate(require('fs').readFileSync('a.wasm'), {env: {f: require('child_process').exec}})"`, `node -e "WebAssembly.instantiate(require('fs').readFileSync('/home/u/.ssh/id_rsa')).catch(e=>console.log(e))"`, `node -e "require('v8').writeHeapSnapshot('/home/u/x')"`,
			`node -e "require('v8').setFlagsFromString('--x')"`, `node -e "const v = require('v8'); v.writeHeapSnapshot('/home/u/x')"`, `deno eval 'console.log(await Deno.readTextFile("/home/u/.ssh/id_rsa"))'`, `deno eval 'console.log(await Deno.readTextFile(Deno.args[0]))'`, `deno eval 'await Deno.remove("x")'`, `deno eval 'const f = Deno.readTextFile; f("x")'`,
		},
	},
	{
		"of a plan of Terraform addresses and actions hold no values, and providers as locked are none that are new",
		[]string{
			`terraform show -json /tmp/stg.plan | jq -r '.resource_changes[] | select(.change.actions != ["no-op"]) | [.address, (.change.actions|join(","))] | @tsv'`,
			`terraform show -json tf.plan | jq -r '.resource_changes[].address'`,
			`terraform show -json tf.plan | jq -r '.resource_changes[] | "\(.address) \(.change.actions|join(","))"' | sort`,
			`terraform show -json tf.plan | jq '[.resource_changes[] | select(.type == "aws_s3_bucket") | .address] | length'`,
			`terraform show -json tf.plan | jq '.resource_changes | length'`,
			`terraform show -json tf.plan | wc -l`,
			`terraform init -backend=true -lockfile=readonly -input=false`,
			`terraform init -lockfile=readonly -input=false`,
		},
		[]string{
			`terraform show -json tf.plan | jq '.resource_changes[]'`,
			`terraform show -json tf.plan | jq '.resource_changes[].change'`,
			`terraform show -json tf.plan | jq '.resource_changes[] | select(.change.actions != ["no-op"])'`,
			`terraform show -json tf.plan | jq '.resource_changes[] | .change.after.password'`,
			`terraform show -json tf.plan | jq '.resource_changes[].address, .planned_values'`,
			`terraform show -json tf.plan | jq -r '.resource_changes[] | "\(.address) \(.change.after)"'`,
			`terraform show -json tf.plan | jq -r '.resource_changes[] | select(.change.after.password | startswith("a")) | .address'`,
			`terraform show -json tf.plan | tee plan.json | jq '.resource_changes[].address'`,
			`terraform show -json tf.plan > plan.json | jq '.resource_changes[].address'`,
			`terraform show -json tf.plan | jq '.resource_changes[].address' - x.json`,
			`terraform show -json tf.plan | jq --arg a b '.resource_changes[].address'`,
			`terraform show -json tf.plan | jq -f x.jq`,
			`terraform show -json tf.plan`,
			`terraform show -json tf.plan; echo '{}' | jq '.resource_changes[].address'`,
			`terraform output -json | jq '.resource_changes[].address, .x.value'`,
			`(terraform show -json tf.plan; terraform show -json b.plan) | jq '.resource_changes[].address'`,
			`terraform show -json tf.plan | (tee a.json) | jq '.resource_changes[].address'`,
			`terraform show -json tf.plan | cat - > a.json | jq '.resource_changes[].address'`,
			`x=$(terraform show -json tf.plan); echo "$x" | jq '.resource_changes[].address'; echo "$x"`,
			`terraform show -json tf.plan 2>&1 >a.json | jq '.resource_changes[].address'`,
			`terraform show -json tf.plan | while read l; do echo $l; done | jq '.resource_changes[].address'`,
			`TF_REATTACH_PROVIDERS='{}' terraform init -lockfile=readonly -input=false`, "echo 'module \"x\" { source = \"git::https://x.example/x\" }' >> main.tf; terraform init -lockfile=readonly -input=false",
			`terraform init -lockfile=readonly`,
			`terraform init -lockfile=readonly -input=false -upgrade`,
			`terraform init -lockfile=readonly -input=false -migrate-state`,
			`terraform init -lockfile=readonly -input=false -input=true`,
			`terraform init -lockfile=readonly -lockfile= -input=false`,
			`terraform init -lockfile=readonly -input=false -reconfigure -backend-config=bucket=x`,
			`terraform init`,
		},
	},
	{
		"a new version of the package is none of what it depends on",
		[]string{`sed -i 's/^version = "1.2.0"/version = "1.3.0"/' src/Cargo.toml && cargo build`},
		[]string{`sed -i 's/^version = "1.0.1"/version = "6.6.6"/' Cargo.toml && cargo build`, `sed -i 's/^version = "1.0.1"/version = "6.6.6"/' data/Cargo.toml && cargo build`},
	},
}

func TestRelaxedCode(t *testing.T) {
	disk := map[string]string{"Cargo.toml": "[package]\nversion = \"1.2.0\"\n[dependencies . a]\nversion = \"1.0.1\"\n", "data/Cargo.toml": "[package]\n[dependencies.a]\nversion = \"1.0.1\"\n", "src/Cargo.toml": "[package]\nversion = \"1.2.0\"\n", "mine/__init__.py": "", "mine/app.py": "app = 1\n", "src/a.py": "x = 1\n", "tests/test_a.py": "def test_a(): pass\n", "a.zip": "x", "setup.cfg": "x", "Info.plist": "x", "bin/rails": "#!/usr/bin/env ruby\n", "config/application.rb": "\n", "vendor/autoload.php": "<?php\n", "README.md": "x"}
	for _, r := range relaxedCode {
		for i, lines := range [][]string{r.passes, r.asks} {
			for _, line := range lines {
				p := inProject(t, disk)
				exists := p.st.Exists
				p.st.Exists = func(path string) bool { return path == "/etc" || path == "/home" || path == "/srv" || exists(path) }
				p.st.Tracked = func(string) bool { return true }
				if d := p.call("Bash", map[string]string{"command": line}); (d.Disposition != gates.Approved) != (i == 1) {
					t.Errorf("%s: %s: %v %v", r.principle, line, d.Disposition, d.Reasons)
				}
			}
		}
	}
}

// TestMigrationsOfTheSession: statements that the session wrote, and nobody has read, ask where they are
// brought to a database.
func TestMigrationsOfTheSession(t *testing.T) {
	for _, file := range []string{"", "db/migrations/2.up.sql"} {
		p := inProject(t, map[string]string{"db/migrations/1.up.sql": "create table a(b int);\n"})
		if file != "" {
			p.write(file, "copy (select 1) to program 'id';\n")
		}
		if d := p.call("Bash", map[string]string{"command": "migrate -path db/migrations -database postgres://dev@localhost/x up"}); (d.Disposition == gates.Approved) != (file == "") {
			t.Errorf("%q: %v %v", file, d.Disposition, d.Reasons)
		}
	}
}
