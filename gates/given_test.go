package gates

import "testing"

// TestDocumentsAreNoPrograms hands files that are no programs by their name to each
// way to run a file as code.
func TestDocumentsAreNoPrograms(t *testing.T) {
	files := []string{"docs/NEWS.rst", "a.txt", "img/x.PNG", "assets/font.woff2", "data.csv", "b.tar.gz", "c.zip", "out.log", "x.jsonl", "y.pdf"}
	var lines []string
	for _, run := range []string{"sh %", "zsh -e %", "source %", ". %", "command . %", "python3 %", "perl -w %", "ruby %", "php %", "node %", "lua %", "bash -x % a b", "java -jar %", "env bash %"} {
		lines = append(lines, crossed([]string{run}, files)...)
	}
	neverApproved(t, lines, 100)
}

// TestScriptsOfTheWorkspaceGoThrough runs what is a program by its name, or has no
// ending, with arguments of daily use.
func TestScriptsOfTheWorkspaceGoThrough(t *testing.T) {
	allApproved(t, []string{
		"bash build.sh", "sh scripts/ci", "source .env", ". ./build.conf", "python3 app.pyz", "php composer.phar --version", "java -jar target/app.jar --port 8080", "ruby bin/tool.rb docs/a.md",
		"python3 tool.py README.md out.json", "./gen.sh --input data.csv --output x.json", "node scripts/x.mjs --url http://localhost:3000/api", "python3 tool.py --host 127.0.0.1 --port 5000",
		"./run.sh --config config/dev.yaml", "python3 train.py --log-dir /tmp/runs", "bash deploy/check.sh --dry-run", "node_modules/.bin/eslint src", "node node_modules/.bin/eslint src", "cat > x.txt <<'E'\necho hi\nE\nbash x.txt",
	})
}

// TestInstalledProgramsAreJudgedByName runs programs of the tables from the places
// where package managers put them, through their interpreters.
func TestInstalledProgramsAreJudgedByName(t *testing.T) {
	neverApproved(t, crossed([]string{
		"%/phpunit -c /tmp/x.xml", "php %/phpunit --bootstrap /tmp/x.php", "php %/phpstan analyse -c /tmp/x.neon", "node %/eslint --config /tmp/x.js src", "python3 %/pytest -p evil", "python %/pytest -c /tmp/x.ini", "bash %/eslint --rulesdir /tmp/r src", "node %/prettier --plugin=/tmp/x.js src",
	}, []string{"vendor/bin", "node_modules/.bin", ".venv/bin", "bin", "tools/bin"}), 40)
	neverApproved(t, []string{"node node_modules/eslint/bin/eslint.js --config /tmp/x.js src", "node node_modules/prettier/bin/prettier.cjs --plugin=/tmp/x.js src"}, 2)
}

// TestUnlistedProgramsThatReachOut gives scripts, jars and modules that no table has
// an address of all interfaces, a server elsewhere and settings elsewhere.
func TestUnlistedProgramsThatReachOut(t *testing.T) {
	neverApproved(t, crossed([]string{"bash tools/x.sh %", "python3 serve.py %", "python3 -m mytool %", "node server.mjs %", "ruby app.rb %", "php serve.php %", "java -jar app.jar %", "java App.java %"}, []string{
		"--host 0.0.0.0", "--bind=0.0.0.0:9000", "-l 0.0.0.0", "0.0.0.0:9000", "--listen '[::]:80'", "--host ::", "--address http://0.0.0.0:1", "-web:80:0.0.0.0",
		"--server https://ci.example.net", "--url=https://x.example.net/a", "--endpoint wss://x.example.net", "-s https://x.example.net",
		"--config /tmp/x.yaml", "--logging-config=/tmp/x.conf", "--plugin=/tmp/x.so", "--init-script ../x.sh", "--extension-dir /home/me/x",
	}), 100)
}
