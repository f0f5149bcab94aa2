package gates

import "testing"

// TestInlineCodeStarts holds that inline JavaScript, Perl and Ruby that starts programs is judged
// as the commands that it starts, where all of them stands in the code.
func TestInlineCodeStarts(t *testing.T) {
	for _, c := range []struct {
		lang         string
		passes, asks []string
	}{
		{"node", []string{
			`require("child_process").execSync("git status")`, `console.log(require("child_process").execFileSync("ls", ["-la"], {encoding: "utf8"}))`,
			`const {execSync} = require("child_process"); console.log(execSync("git log --oneline -5").toString())`, `const cp = require("child_process"); cp.spawnSync("npm", ["test"], {stdio: "inherit"})`,
			`const r = require("node:child_process").spawnSync("git", ["status"]); console.log(r.stdout.toString(), r.status)`, `const {exec: run} = require("child_process"); run("git status", {cwd: "src"}, function (e, out) { console.log(out) })`,
			`const {spawn} = require("child_process"); const p = spawn("npm", ["test"], {env: {...process.env, CI: "1"}}); p.on("exit", c => process.exit(c))`, `const exec = require("child_process").execSync; exec("git diff --stat")`,
			`try { require("child_process").execSync("npm test", {stdio: "pipe"}) } catch (e) { console.log(e.stdout.toString()) }`, `const fs = require("fs"), cp = require("child_process"); fs.writeFileSync("log.txt", cp.execSync("git log"))`,
		}, []string{
			`require("child_process").execSync("rm -rf src")`, `require("child_process").execSync("git push -f")`, `require("child_process").execSync("git " + process.argv[1])`, `const {execSync} = require("child_process"); const e = execSync; e("git status")`,
			`const {execSync} = require("child_process"); ["rm x"].map(execSync); execSync("ls")`, `const cp = require("child_process"); cp.execSync("ls"); const q = cp; q.exec("id"); /a/.exec("")`, `var cp = require("child_process"); cp.execSync("ls"); this.cp.exec("id"); /a/.exec("")`,
			`const fs = require("fs"); fs.writeFileSync("x.sh", process.argv[1]); require("child_process").execSync("sh x.sh")`, `const p = require("child_process").spawn("sh"); p.stdin.write("id")`, `require("child_process").execSync("ls", {cwd: process.argv[1]})`,
			`require("child_process").execSync("ls", {shell: "/tmp/x"})`, `require("child_process").execSync("ls", {env: {...process.env, PATH: "."}})`, `require("child_process").exec("ls", (e, o) => eval(o))`, `const {execSync: a, fork: b} = require("child_process"); a("ls"); b("x.js")`,
			`const {execSync} = require("child_process"); ((execSync) => execSync("ls"))(eval)`, `while (true) require("child_process").spawn("sleep", ["100"])`, `setInterval(() => require("child_process").spawn("yes"), 0)`, `require("child_process").execSync("cat .env")`,
			"`${require(\"child_process\").execSync(\"rm x\")}`", `const fs = require("fs"); fs.writeFileSync(require("child_process").execSync("cat name").toString(), "x")`, `import {execSync, fork} from "child_process"; execSync("ls")`,
		}},
		{"perl", []string{
			"print `git status`", `system("ls -la")`, `system "ls -la";`, `system("git", "status"); print qx(date)`, "my @l = `git log --oneline`; print scalar(@l)", `system(qw(git status)) == 0 or die "x"`, "chomp(my $x = `git rev-parse HEAD`); print \"sha $x\\n\"",
			"for (`git branch`) { print if /main/ }", `exec "git status"`,
		}, []string{
			`system("rm -rf src")`, `system("ls $ARGV[0]")`, "print `rm x`", `$ENV{PATH} = "."; system("ls")`, `system "ls", @ARGV`, `system "ls" . $x`, `system {"sh"} "ls"`, "eval `cat x`", "print \"@{[`rm x`]}\"", "@ARGV = `ls`; while (<>) {print}", "s/x/`rm x`/e",
			"print q(`ls`); unlink \"a\"; print q(`)", `while (1) { system("sleep 100 &") }`, "print qx(ls @ARGV)", `sub f { system(@_) } f("rm x")`, `exec "sudo reboot"`,
		}},
		{"ruby", []string{
			"puts `git status`", `system("ls")`, `system "git status"`, `system("git", "status") or abort`, `system("make", exception: true)`, `puts IO.popen(["git", "log"]).read`, `require "open3"; o, s = Open3.capture2e("git", "status"); puts o`,
			"puts `git log`.lines.first(3)", "x = `git rev-parse HEAD`.strip; puts \"sha #{x}\"", `require "json"; x = 1; puts x`,
		}, []string{
			`system("rm -rf src")`, "puts `rm x`", `system("ls #{ARGV[0]}")`, `system "ls" + ARGV[0]`, `system "ls", *ARGV`, `def system(x) = eval(x); system("ls")`, "File.write(`ls`, \"x\")", "puts \"`\"; system(\"ls\"); eval \"`\"", `system({"PATH" => "."}, "ls")`,
			`ENV["PATH"] = "."; system("ls")`, `Dir.chdir("/etc"); system("ls")`, "eval(`cat x`)", `IO.popen("sh", "w") { |io| io.puts "rm x" }`, "puts \"#{`rm x`}\"", `loop { system("yes &") }`, `require "open3"; Open3.pipeline("ls", "sh"); Open3.capture2("ls")`,
		}},
	} {
		for _, code := range c.passes {
			if d := decideCode(c.lang, code); d.Disposition != Approved {
				t.Errorf("%s asks: %s: %s", c.lang, code, d.Reasons[0].Message)
			}
		}
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
