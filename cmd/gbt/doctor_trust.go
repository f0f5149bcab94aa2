package main

import (
	"cmp"
	"os"
	"path/filepath"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// untrusted says so if the user never told the host to trust the hooks of a
// file, where the host wants that.
func untrusted(t *hosts.Trust, home, file string) string {
	if t == nil {
		return ""
	}
	noted := filepath.Join(cmp.Or(os.Getenv(t.Env), filepath.Join(home, t.Dir)), t.File)
	text, err := os.ReadFile(noted)
	if err == nil && t.Noted(string(text), file) {
		return ""
	}
	return t.Missing(file, noted)
}
