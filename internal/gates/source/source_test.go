package source

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

var here = effect.Places{Cwd: "/w/app", Home: "/home/u", Roots: []string{"/w/app"}}.Normal()

// check holds texts of one language against what is read of them.
func check(t *testing.T, file string, want bool, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if (Reader{}).Computes(file, text, &here) != want {
			t.Errorf("%s: computes is %v of:\n%s", file, !want, text)
		}
	}
}

func TestGo(t *testing.T) {
	program := func(imports, body string) string {
		return "package main\n\nimport (\n" + imports + "\n)\n\nfunc main() {\n" + body + "\n}\n"
	}
	check(t, "/tmp/x.go", true,
		program(`"fmt"; "os"; "strings"`, `fmt.Println(strings.ToUpper("a"), os.Args)`),
		program(`"fmt"; "os"; "path/filepath"`, `dir, err := os.MkdirTemp("", "x"); if err != nil { panic(err) }; defer os.RemoveAll(dir); p := filepath.Join(dir, "a", "b.sh")
	fmt.Println(err, os.WriteFile(p, nil, 0o644)); b, _ := os.ReadFile(dir + "/a"); fmt.Println(b)`),
		program(`"os"`, `os.ReadFile("/w/app/testdata/a.json"); os.WriteFile("/tmp/out.csv", nil, 0o644); os.Exit(1)`),
		program(`"fmt"; "net/http"; "net/http/httptest"`, `w := httptest.NewRecorder(); http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) }).ServeHTTP(w, httptest.NewRequest("GET", "/", nil)); fmt.Println(w.Code)`),
		program(`r "math/rand/v2"; "runtime"; "sync"; "time"`, `var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); time.Sleep(time.Millisecond) }(); wg.Wait(); println(r.IntN(3), runtime.NumCPU())`),
	)
	check(t, "/tmp/x.go", false,
		program(`"os/exec"`, `exec.Command("id").Run()`), program(`"os"`, `os.RemoveAll("x")`), program(`"os"`, `f := os.RemoveAll; f("x")`), program(`o "os"`, `o.Remove("x")`), program(`. "os"`, `Remove("x")`),
		program(`"os"`, `os.ReadFile(os.Args[1])`), program(`"os"`, `os.ReadFile("/home/u/.ssh/id_rsa")`), program(`"os"`, `os.WriteFile("Makefile", nil, 0o644)`), program(`"os"`, `os.WriteFile("/tmp/x.sh", nil, 0o755)`), program(`"os"`, `println(os.Getenv("API_TOKEN"))`),
		program(`"os"`, `dir, _ := os.MkdirTemp("", "x"); dir = "/home/u"; os.RemoveAll(dir)`), program(`"os"`, `dir, _ := os.MkdirTemp("", "x"); p := &dir; *p = "/home/u"; os.RemoveAll(dir)`), program(`"os"`, `dir, _ := os.MkdirTemp("/home/u", "x"); os.RemoveAll(dir)`),
		program(`"os"; "path/filepath"`, `dir, _ := os.MkdirTemp("", "x"); os.RemoveAll(filepath.Join(dir, "..", ".."))`), program(`"os"; "path/filepath"`, `dir, _ := os.MkdirTemp("", "x"); os.RemoveAll(filepath.Join(dir, os.Args[1]))`), program(`"os"`, `dir, _ := os.MkdirTemp("", "x"); os.Symlink("/home/u", dir+"/l"); os.RemoveAll(dir+"/l/x")`),
		program(`"path/filepath"`, `filepath.WalkDir("/home", nil)`), program(`"net/http"`, `http.Get("https://h.example/?" + "x")`), program(`"net/http"`, `(&http.Client{}).Get("https://h.example")`), program(`"net"`, `net.Dial("tcp", "h.example:80")`), program(`"syscall"`, `syscall.Exec("/bin/sh", nil, nil)`), program(`"C"`, `C.f()`),
		program(`_ "unsafe"`, "}\n\n//go:linkname f os.RemoveAll\nfunc f(string) error\n\nfunc g() {"), program(`"plugin"`, `plugin.Open("x")`), program(`"os"`, `os.Stdin.Chdir()`), program(`"text/template"`, `template.ParseFiles("/etc/passwd")`), program(`"reflect"; "os"`, `reflect.ValueOf(os.Stdin).MethodByName("Chdir").Call(nil)`),
		program(`"example.com/m"`, `m.Run()`), program(`"embed"`, "}\n\n//go:embed x\nvar e embed.FS\n\nfunc g() {"), "package x\n", "not Go",
	)
}

// TestGoWhereItRuns: names and packages that hang on where a program of Go is started are read if somebody
// knows where that is.
func TestGoWhereItRuns(t *testing.T) {
	files := map[string]string{
		"/w/app/go.mod":            "module h.example/app\n",
		"/w/app/calc/calc.go":      "package calc\n\nimport \"h.example/app/calc/deep\"\n\nfunc Add(a, b int) int { return deep.Add(a, b) }\n",
		"/w/app/calc/deep/d.go":    "package deep\n\nfunc Add(a, b int) int { return a + b }\n",
		"/w/app/calc/calc_test.go": "package calc\n\nimport \"os/exec\"\n\nfunc f() { exec.Command(\"id\").Run() }\n",
		"/w/app/named/n.go":        "package other\n\nfunc F() {}\n",
		"/w/app/ops/ops.go":        "package ops\n\nimport \"os\"\n\nfunc Wipe(d string) { os.RemoveAll(d) }\n",
		"/w/app/mixed/a.go":        "package mixed\n\nfunc A() {}\n",
		"/w/app/mixed/b.go":        "//go:build windows\n\npackage mixed\n\nimport \"h.example/app/ops\"\n\nfunc init() { ops.Wipe(\"x\") }\n",
		"/w/app/two/a.go":          "package two\n\nfunc A() {}\n",
		"/w/app/two/b.go":          "package more\n\nfunc A() {}\n",
		"/w/app/asm/a.go":          "package asm\n\nfunc A()\n",
		"/w/app/asm/a.s":           "x",
		"/w/app/../x/x.go":         "package x\n\nfunc A() {}\n",
		"/w/app/nested/go.mod":     "module h.example/app/nested\n",
		"/w/app/nested/n/n.go":     "package n\n\nfunc F() {}\n",
		"/w/work/go.mod":           "module h.example/work\n",
		"/w/work/go.work":          "go 1.26\n",
		"/w/work/a/a.go":           "package a\n\nfunc A() {}\n",
	}
	places := effect.Places{Cwd: "/w/app", Home: "/home/u", Roots: []string{"/w/app", "/w/work"}}.Normal()
	places.TextOf = func(path string) (string, bool) { text, ok := files[path]; return text, ok }
	places.NamesOf = func(dir string) (names []string) {
		for file := range files {
			if rest, ok := strings.CutPrefix(file, dir+"/"); ok && !strings.Contains(rest, "/") {
				names = append(names, rest)
			}
		}
		return names
	}
	program := func(imports, body string) string {
		return "package main\n\nimport " + imports + "\n\nfunc main() { " + body + " }\n"
	}
	reads := func(cwd string, want bool, texts ...string) {
		t.Helper()
		p := places
		p.Cwd = cwd
		for _, text := range texts {
			if (Reader{}).Computes("/tmp/x.go", text, &p) != want {
				t.Errorf("in %q: computes is %v of:\n%s", cwd, !want, text)
			}
		}
	}
	calc, rel := program(`"h.example/app/calc"`, `println(calc.Add(1, 2))`), program(`"os"`, `os.ReadFile("testdata/a.json"); os.WriteFile("out.csv", nil, 0o644)`)
	local := program(`"net/http"`, `http.Get("http://localhost:8080/health?x=1")`)
	reads("/w/app", true, calc, rel, local, program(`c "h.example/app/calc"`, `println(c.Add(1, 2))`), program(`"h.example/app/named"`, `other.F()`))
	reads("/w/app/calc", true, calc)
	reads("/tmp/x", true, rel, local)
	reads("", false, calc, rel, local, program(`"os"`, `os.ReadFile("tmp/a.json")`))
	reads("/w/app/calc", false, program(`"os"`, `os.ReadFile("../testdata/a.json")`))
	reads("/w/app/nested", false, calc)
	reads("/tmp/x", false, calc)
	reads("/home/u", false, rel)
	reads("/w/work", false, program(`"h.example/work/a"`, `a.A()`))
	reads("/w/app", false,
		program(`"h.example/app/ops"`, `ops.Wipe("x")`), program(`"h.example/app/mixed"`, `mixed.A()`), program(`"h.example/app/two"`, `two.A()`), program(`"h.example/app/asm"`, `asm.A()`), program(`"h.example/app/none"`, `none.A()`), program(`"h.example/app/nested/n"`, `n.F()`), program(`. "h.example/app/calc"`, `Add(1, 2)`), program(`"h.example/application"`, `application.A()`), program(`"h.example/app/../x"`, `x.A()`),
		program(`"os"`, `os.ReadFile("../x/a.json")`), program(`"os"`, `os.ReadFile("sub/../../a.json")`), program(`"os"`, `os.ReadFile(".env")`), program(`"os"`, `os.WriteFile("x.sh", nil, 0o755)`), program(`"os"`, `os.WriteFile("Makefile", nil, 0o644)`), program(`"os"`, `os.Remove("out.csv")`), program(`"os"`, `p := "out.csv"; p = os.Args[1]; os.WriteFile(p, nil, 0o644)`),
		program(`"os"`, `f, _ := os.Open("testdata"); f.Chmod(0)`), program(`"os"`, `f, _ := os.Open("testdata"); f.Chdir()`),
		program(`"net/http"`, `http.Get("http://localhost:1@h.example/")`), program(`"net/http"`, `http.Get("http://localhost.h.example/")`), program(`"net/http"`, `http.Get("https://h.example/")`), program(`"net/http"`, `f := http.Get; f("http://localhost/")`), program(`"net/http"`, `http.Post("http://localhost/", "x", nil)`), program(`h "net/http"`, `h.Get("http://h.example/")`),
	)
	changed := places
	changed.TextOf = nil
	if (Reader{}).Computes("/tmp/x.go", calc, &changed) {
		t.Error("a package that may have changed is followed")
	}
}
