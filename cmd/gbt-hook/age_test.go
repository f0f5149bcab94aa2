package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestAges: the question about a dependency says how old it is where the module cache
// knows, and nothing where it does not.
func TestAges(t *testing.T) {
	a := newAsker(t)
	cache := filepath.Join(a.home, "mod")
	t.Setenv("GOMODCACHE", cache)
	note := func(module, version, text string) {
		dir := filepath.Join(cache, "cache/download", module, "@v")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, version+".info"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dated := func(version string, age time.Duration) string {
		return `{"Version":"` + version + `","Time":"` + time.Now().Add(-age).UTC().Format(time.RFC3339) + `"}`
	}
	note("example.com/!acme/shop", "v1.2.3", dated("v1.2.3", 12*day+time.Hour))
	note("example.com/!acme/shop", "v1.2.4", dated("v1.2.4", time.Hour))
	note("example.com/!acme/shop", "v1.2.5", dated("v9.9.9", time.Hour))
	note("example.com/!acme/shop", "v1.2.6", "no json")
	note("example.com/!acme/shop", "v1.2.7", dated("v1.2.7", -48*time.Hour))
	note("example.com/!acme/shop", "v0.0.1", dated("v0.0.1", 1500*day))
	for line, want := range map[string]string{
		"go get example.com/Acme/shop@v1.2.3":         "example.com/Acme/shop v1.2.3 is 12 days old by its own date.",
		"go install example.com/Acme/shop/cmd@v1.2.4": "example.com/Acme/shop v1.2.4 is less than a day old by its own date.",
		"go get example.com/Acme/shop@v0.0.1":         "example.com/Acme/shop v0.0.1 is 4 years old by its own date.",
		"go get example.com/Acme/shop@v1.2.5":         "", "go get example.com/Acme/shop@v1.2.6": "", "go get example.com/Acme/shop@v1.2.7": "",
		"go get example.com/Acme/shop@latest": "", "go get example.com/Acme/shop": "", "go get example.com/other@v1.2.3": "", "go get ../../x@v1.2.3": "",
	} {
		b, err := json.Marshal(map[string]string{"command": line})
		if err != nil {
			t.Fatal(err)
		}
		got, p := a.tell("PreToolUse", a.event("PreToolUse", line, "Bash", string(b)))
		if got != hosts.Asks {
			t.Errorf("%s: %v", line, got)
		}
		if has := strings.Contains(p.Stdout, " by its own date."); has != (want != "") || !strings.Contains(p.Stdout, want) {
			t.Errorf("%s: %s", line, p.Stdout)
		}
	}
}
