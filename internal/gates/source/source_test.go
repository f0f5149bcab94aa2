package source

import (
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
