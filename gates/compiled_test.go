package gates

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/source"
)

const (
	goPlainText   = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n"
	goEvilText    = "package main\n\nimport \"os/exec\"\n\nfunc main() { exec.Command(\"id\").Run() }\n"
	javaPlainText = "import java.util.*;\npublic class A { public static void main(String[] a) { System.out.println(List.of(1, 2)); } }\n"
	javaEvilText  = "public class A { public static void main(String[] a) throws Exception { Runtime.getRuntime().exec(a[0]); } }\n"
	cPlainText    = "#include <stdio.h>\nint main(void) { puts(\"x\"); return 0; }\n"
	cEvilText     = "#include <stdlib.h>\nint main(int c, char **v) { return system(v[1]); }\n"
	zigPlainText  = "const std = @import(\"std\");\npub fn main() void { std.debug.print(\"x\", .{}); }\n"
	cWriteText    = "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x.csv\", \"w\"); return fputs(\"1\", f); }\n"
	rustEvilText  = "fn main() { std::process::Command::new(\"id\").status().unwrap(); }\n"
)

// compiledSession is the calls of a session: a line, or a file and its text with a tab between that the host's
// tool writes; disk is what lies there before.
type compiledSession struct {
	name     string
	disk     map[string]string
	calls    []string
	approved bool // the last call
}

func file(path, text string) string { return path + "\t" + text }

var compiledSessions = []compiledSession{
	{"a file of Java", nil, []string{file("/w/A.java", javaPlainText), "java A.java"}, true},
	{"a file of Java in a temporary directory", nil, []string{file("/tmp/A.java", javaPlainText), "java /tmp/A.java 1 2"}, true},
	{"a class in the workspace", nil, []string{file("/w/A.java", javaPlainText), "javac A.java && java A"}, true},
	{"a class in a temporary directory", nil, []string{file("/tmp/A.java", javaPlainText), "cd /tmp && javac A.java && java A x"}, true},
	{"a class in a directory of its own", nil, []string{file("/tmp/A.java", javaPlainText), "javac -d /tmp/o /tmp/A.java && java -cp /tmp/o A"}, true},
	{"a class of an earlier call", nil, []string{file("/tmp/j/A.java", javaPlainText), "cd /tmp/j && javac A.java", "cd /tmp/j && java A"}, true},
	{"a package of Go", nil, []string{"mkdir -p /tmp/x && cd /tmp/x && cat > main.go <<'E'\n" + goPlainText + "E\ngo mod init x && go run ."}, true},
	{"files of Go", nil, []string{file("/tmp/x/main.go", goPlainText), "cd /tmp/x && go run main.go a b"}, true},
	{"a program of Go that is built", nil, []string{file("/tmp/t.go", goPlainText), "go build -o /tmp/t /tmp/t.go && /tmp/t"}, true},
	{"a program of C without a name", nil, []string{file("/tmp/t/t.c", cPlainText), "cd /tmp/t && gcc t.c && ./a.out"}, true},
	{"a program of C of an earlier call", nil, []string{file("/tmp/t.c", cPlainText), "gcc -O2 -o /tmp/t /tmp/t.c", "/tmp/t 1"}, true},

	{"a program of C with options that only choose", nil, []string{file("/tmp/t.c", cPlainText), "gcc -O2 -Wall -std=c11 -DN=3 -o /tmp/t /tmp/t.c -lm", "/tmp/t"}, true},

	{"a macro that renames, of an earlier call", nil, []string{file("/tmp/t.c", cPlainText), "gcc -Dputs=system -o /tmp/t /tmp/t.c", "/tmp/t"}, false},
	{"a source that nobody read beside, of an earlier call", nil, []string{file("/tmp/t.c", cPlainText), "gcc -o /tmp/t /tmp/t.c /tmp/other.c", "/tmp/t"}, false},
	{"a source that nobody read, of an earlier call", nil, []string{"gcc -o /tmp/t /tmp/other.c", "/tmp/t"}, false},
	{"a library of the directory, of an earlier call", nil, []string{file("/tmp/t.c", cPlainText), "gcc -o /tmp/t /tmp/t.c -L. -lfoo", "/tmp/t"}, false},
	{"a file of options, of an earlier call", nil, []string{file("/tmp/t.c", cPlainText), "gcc @args -o /tmp/t /tmp/t.c", "/tmp/t"}, false},
	{"a plugin that was agreed to, of an earlier call", nil, []string{file("/tmp/t.c", cPlainText), "gcc -fplugin=/tmp/p.so -o /tmp/t /tmp/t.c", "/tmp/t"}, false},
	{"a path of headers in a variable, of an earlier call", nil, []string{file("/tmp/t.c", cPlainText), "CPATH=/tmp/i gcc -o /tmp/t /tmp/t.c", "/tmp/t"}, false},
	{"a linker of the line, of an earlier call", nil, []string{file("/tmp/t.rs", "fn main() { println!(\"1\"); }\n"), "rustc -C linker=/tmp/x -o /tmp/t /tmp/t.rs", "/tmp/t"}, false},
	{"another package of Go, of an earlier call", nil, []string{"go build -o /tmp/t /tmp/other", "/tmp/t"}, false},
	{"an overlay of Go, of an earlier call", nil, []string{"go build -overlay /tmp/o.json -o /tmp/t .", "/tmp/t"}, false},

	{"Java that starts a program", nil, []string{file("/w/A.java", javaEvilText), "java A.java"}, false},
	{"Java that starts a program, in one line", nil, []string{"cat > /tmp/A.java <<'E'\n" + javaEvilText + "E\njava /tmp/A.java id"}, false},
	{"a class that starts a program", nil, []string{file("/tmp/A.java", javaEvilText), "cd /tmp && javac A.java && java A id"}, false},
	{"a class that starts a program, of an earlier call", nil, []string{file("/tmp/j/A.java", javaEvilText), "cd /tmp/j && javac A.java", "cd /tmp/j && java A id"}, false},
	{"a source that was changed after it was compiled", nil, []string{file("/tmp/j/A.java", javaEvilText), "cd /tmp/j && javac A.java", file("/tmp/j/A.java", javaPlainText), "cd /tmp/j && java A id"}, false},
	{"a class that was there before", map[string]string{"/tmp/j/A.class": "x"}, []string{file("/tmp/j/A.java", javaPlainText), "cd /tmp/j && java A"}, false},
	{"a class beside that stands for one of Java's", map[string]string{"/tmp/j/List.class": "x"}, []string{file("/tmp/j/A.java", javaPlainText), "cd /tmp/j && javac A.java && java A"}, false},
	{"a source beside that nobody read", nil, []string{file("/tmp/j/List.java", strings.ReplaceAll(javaEvilText, "class A", "class List")), file("/tmp/j/A.java", javaPlainText), "cd /tmp/j && javac A.java && java A"}, false},
	{"a processor beside", map[string]string{"/tmp/j/META-INF/services/x": "X"}, []string{file("/tmp/j/A.java", javaPlainText), "cd /tmp/j && javac A.java"}, false},
	{"a service beside", map[string]string{"/tmp/o/META-INF/services/x": "X"}, []string{file("/tmp/A.java", javaPlainText), "javac -d /tmp/o /tmp/A.java && java -cp /tmp/o A"}, false},
	{"a processor of the line", nil, []string{file("/tmp/A.java", javaPlainText), "cd /tmp && javac -processor X A.java && java A"}, false},
	{"a plugin of the compiler", nil, []string{file("/tmp/A.java", javaPlainText), "cd /tmp && javac -Xplugin:X A.java && java A"}, false},
	{"another class path", nil, []string{file("/w/A.java", javaPlainText), "CLASSPATH=/home/u/x.jar java A"}, false},
	{"a class path from elsewhere", nil, []string{file("/tmp/A.java", javaPlainText), "java -cp /home/u/x.jar /tmp/A.java"}, false},
	{"an agent", nil, []string{file("/tmp/A.java", javaPlainText), "java -javaagent:/tmp/x.jar /tmp/A.java"}, false},
	{"Go that starts a program", nil, []string{file("/tmp/x/main.go", goEvilText), "cd /tmp/x && go run main.go"}, false},
	{"another file of the package", nil, []string{file("/tmp/x/main.go", goPlainText), file("/tmp/x/b.go", goEvilText), "cd /tmp/x && go run ."}, false},
	{"a file of the package that was there", map[string]string{"/tmp/x/b.go": goPlainText}, []string{file("/tmp/x/main.go", goPlainText), "cd /tmp/x && go run ."}, false},
	{"assembly in the package", map[string]string{"/tmp/x/b.s": "x"}, []string{file("/tmp/x/main.go", goPlainText), "cd /tmp/x && go run ."}, false},
	{"a workspace of Go", map[string]string{"/tmp/x/go.work": "x"}, []string{file("/tmp/x/main.go", goPlainText), "cd /tmp/x && go run ."}, false},
	{"a wrapper of Go's tools", nil, []string{file("/tmp/t.go", goPlainText), "go build -toolexec /tmp/x -o /tmp/t /tmp/t.go && /tmp/t"}, false},
	{"a linker of Go's", nil, []string{file("/tmp/t.go", goPlainText), "go build -ldflags='-extld /tmp/x' -o /tmp/t /tmp/t.go && /tmp/t"}, false},
	{"an overlay of Go's", nil, []string{file("/tmp/t.go", goPlainText), "go build -overlay /tmp/o.json -o /tmp/t /tmp/t.go && /tmp/t"}, false},
	{"flags of Go's", nil, []string{file("/tmp/t.go", goPlainText), "GOFLAGS=-toolexec=/tmp/x go run /tmp/t.go"}, false},
	{"C that starts a program, of an earlier call", nil, []string{file("/tmp/e.c", cEvilText), "gcc -o /tmp/e /tmp/e.c", "/tmp/e 'rm -rf x'"}, false},
	{"C that was changed after it was compiled", nil, []string{file("/tmp/e.c", cEvilText), "gcc -o /tmp/e /tmp/e.c", file("/tmp/e.c", cPlainText), "/tmp/e 'rm -rf x'"}, false},
	{"C that was changed by a program", nil, []string{file("/tmp/e.c", cPlainText), "sed -i 's/puts/system/' /tmp/e.c", "gcc -o /tmp/e /tmp/e.c && /tmp/e"}, false},
	{"another program under the name", nil, []string{file("/tmp/e.c", cPlainText), "gcc -o /tmp/e /tmp/e.c && cp /home/u/x /tmp/e && /tmp/e"}, false},
	{"a plugin of gcc", nil, []string{file("/tmp/e.c", cPlainText), "gcc -fplugin=/tmp/p.so -o /tmp/e /tmp/e.c && /tmp/e"}, false},
	{"a header that is forced in", nil, []string{file("/tmp/e.c", cPlainText), "gcc -include /tmp/x.h -o /tmp/e /tmp/e.c && /tmp/e"}, false},
	{"a wrapper of gcc", nil, []string{file("/tmp/e.c", cPlainText), "gcc -wrapper /tmp/w -o /tmp/e /tmp/e.c && /tmp/e"}, false},
	{"options in a file", nil, []string{file("/tmp/e.c", cPlainText), file("/tmp/o", "-fplugin=x"), "gcc @/tmp/o -o /tmp/e /tmp/e.c && /tmp/e"}, false},
	{"a library beside the source", nil, []string{file("/tmp/e.c", cPlainText), "gcc -o /tmp/e /tmp/e.c /tmp/x.o && /tmp/e"}, false},
	{"a library that is loaded first", nil, []string{file("/tmp/e.c", cPlainText), "gcc -o /tmp/e /tmp/e.c && LD_PRELOAD=/tmp/x.so /tmp/e"}, false},
	{"a name that a definition changes", nil, []string{file("/tmp/e.c", cPlainText), "gcc -Dputs=system -o /tmp/e /tmp/e.c && /tmp/e"}, false},
	{"Rust that starts a program, of an earlier call", nil, []string{file("/tmp/e.rs", rustEvilText), "rustc -o /tmp/e /tmp/e.rs", "/tmp/e"}, false},
	{"Zig, which nothing reads", nil, []string{file("/tmp/t.zig", zigPlainText), "zig run /tmp/t.zig"}, false},
	{"Nim, which nothing reads", nil, []string{file("/tmp/n/t.nim", "echo 1\n"), "cd /tmp/n && nim c t.nim && ./t"}, false},
	{"Kotlin, which nothing reads", nil, []string{file("/tmp/t.kts", "println(1)\n"), "kotlin /tmp/t.kts"}, false},
	{"Swift, which nothing reads", nil, []string{file("/tmp/t.swift", "print(1)\n"), "swift /tmp/t.swift"}, false},
	{"C as assembly", nil, []string{file("/tmp/t.c", cPlainText), "gcc -x assembler -o /tmp/t /tmp/t.c && /tmp/t"}, false},
	{"C as C", nil, []string{file("/tmp/t.c", cPlainText), "gcc -x c -o /tmp/t /tmp/t.c && /tmp/t"}, true},
	{"a class beside a source of Java", map[string]string{"/tmp/List.class": "x"}, []string{file("/tmp/A.java", javaPlainText), "cd /tmp && java A.java"}, false},
	{"a source beside one of Java", map[string]string{"/tmp/j/List.java": "x"}, []string{file("/tmp/j/A.java", javaPlainText), "java /tmp/j/A.java"}, false},
	{"a class in the working directory of java", map[string]string{"/tmp/e/List.class": "x"}, []string{file("/tmp/j/A.java", javaPlainText), "cd /tmp/e && java /tmp/j/A.java"}, false},
	{"a class that stands in a comment", map[string]string{"/tmp/q/Evil.class": "x"}, []string{file("/tmp/q/A.java", javaPlainText+"// class Evil\n"), "cd /tmp/q && javac A.java && java Evil"}, false},
	{"a package behind a comment", map[string]string{"/tmp/o/A.class": "x"}, []string{file("/tmp/A.java", "/* */ package p;\n"+javaPlainText), "javac -d /tmp/o /tmp/A.java && java -cp /tmp/o A"}, false},
	{"a class path of javac", map[string]string{"/tmp/evil.jar": "x"}, []string{file("/tmp/j/A.java", javaPlainText), "cd /tmp/j && javac -cp /tmp/evil.jar A.java && java A"}, false},
	{"a program that writes over another", nil, []string{file("/tmp/t.c", cPlainText), file("/tmp/w.c", strings.ReplaceAll(cWriteText, "x.csv", "/tmp/a.out")), "cd /tmp && gcc -o w w.c && gcc t.c && /tmp/w && ./a.out"}, false},
	{"a program that writes", nil, []string{file("/tmp/w.c", strings.ReplaceAll(cWriteText, "x.csv", "/tmp/x.csv")), "gcc -o /tmp/w /tmp/w.c && /tmp/w"}, true},
	{"a program that writes where it runs", nil, []string{file("/tmp/w.c", cWriteText), "gcc -o /tmp/w /tmp/w.c && cd /home/u/data && /tmp/w"}, false},
	{"another compiler of Rust", map[string]string{"/tmp/r/rust-toolchain.toml": "x"}, []string{file("/tmp/r/t.rs", "fn main() {}\n"), "cd /tmp/r && rustc t.rs && ./t"}, false},
}

// TestCompiledPrograms holds that a program that the session wrote in a compiled language runs where it only
// computes, is what was compiled of the source that was read, and nothing else gets into it.
func TestCompiledPrograms(t *testing.T) {
	for _, s := range compiledSessions {
		t.Run(s.name, func(t *testing.T) {
			disk := map[string]string{}
			for name, text := range s.disk {
				disk[name] = text
			}
			var g Guardrail
			state := State{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}, Compiled: source.Reader{},
				Exists: func(p string) bool { return lies(disk, p) }, Names: func(dir string) []string { return namesBelow(disk, dir) },
				Text: func(p string) (string, bool) { text, ok := disk[p]; return text, ok },
			}
			approved := false
			var c Context
			for _, line := range s.calls {
				r := shellCall(t, line)
				if name, text, ok := strings.Cut(line, "\t"); ok && strings.HasPrefix(name, "/") {
					args, err := json.Marshal(map[string]string{"file_path": name, "content": text})
					if err != nil {
						t.Fatal(err)
					}
					r = call.Request{Tool: "Write", Args: args}
				}
				c = NewContext(r, state)
				approved = g.Decide(&c).Disposition == Approved
				state.Flow = c.After()
				for _, w := range c.Written() {
					disk[w.Path] = w.Text
				}
				for _, e := range c.Effects {
					if _, ok := disk[e.Resource]; e.Kind == effect.Write && !ok {
						disk[e.Resource] = "\x00"
					}
				}
			}
			if approved != s.approved {
				d := g.Decide(&c)
				t.Errorf("approved %v: %q %+v", approved, s.calls, d.Reasons)
			}
		})
	}
}

func lies(disk map[string]string, p string) bool {
	for name := range disk {
		if name == p || strings.HasPrefix(name, p+"/") {
			return true
		}
	}
	return false
}

func namesBelow(disk map[string]string, dir string) []string {
	var out []string
	for name := range disk {
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
			first, _, below := strings.Cut(rest, "/")
			if below {
				first += "/"
			}
			out = with(out, first)
		}
	}
	return out
}
