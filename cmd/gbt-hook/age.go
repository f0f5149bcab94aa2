package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts/permissions"
)

// Limits of what is said of ages.
const (
	maxAges = 3
	day     = 24 * time.Hour
)

// agesOf says to people how old the dependencies are that a call names with a version, as
// far as this machine knows it: Go's module cache keeps of each version that was ever
// looked up a small file with its date (Go Modules Reference, "Module cache" and "GOPROXY
// protocol": cache/download/$module/@v/$version.info, {"Version", "Time"}). The date is
// that of the commit, which its author chose. What is not known is not said, and nothing
// is decided by it: it changes with the clock.
func agesOf(ctx *gates.Context, now time.Time) string {
	var out []string
	for _, r := range ctx.Runs() {
		if len(r.Words) < 3 || path.Base(r.Words[0]) != "go" || !slices.Contains([]string{"get", "install", "run", "mod"}, r.Words[1]) {
			continue
		}
		for _, w := range r.Words[2:] {
			name, version, ok := strings.Cut(w, "@")
			if !ok || len(out) == maxAges {
				continue
			}
			if module, at, ok := dateOf(moduleCache(), name, version); ok && !at.After(now) {
				out = append(out, fmt.Sprintf("%s %s is %s by its own date.", module, version, old(now.Sub(at))))
			}
		}
	}
	return strings.Join(out, " ")
}

// old is an age in words.
func old(d time.Duration) string {
	switch n := int(d / day); {
	case n < 1:
		return "less than a day old"
	case n == 1:
		return "1 day old"
	case n < 730:
		return fmt.Sprintf("%d days old", n)
	default:
		return fmt.Sprintf("%d years old", n/365)
	}
}

// moduleCache is Go's module cache as the environment has it (go help environment); what
// "go env -w" wrote is not read.
func moduleCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	if list := filepath.SplitList(os.Getenv("GOPATH")); len(list) > 0 {
		return filepath.Join(list[0], "pkg", "mod")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, "go", "pkg", "mod")
}

// dateOf finds the module that holds a package, and the date of its version.
func dateOf(cache, name, version string) (module string, at time.Time, ok bool) {
	if !filepath.IsAbs(cache) || !filepath.IsLocal(name) || version == "" || version[0] != 'v' || strings.ContainsAny(version, `/\`) {
		return "", at, false
	}
	for module = name; module != "."; module = path.Dir(module) {
		data, err := readSmall(filepath.Join(cache, "cache", "download", filepath.FromSlash(escaped(module)), "@v", escaped(version)+".info"))
		if err != nil {
			continue
		}
		var info struct{ Version, Time string }
		if len(data) > permissions.MaxSize || json.Unmarshal(data, &info) != nil || info.Version != version {
			return "", at, false
		}
		at, err = time.Parse(time.RFC3339, info.Time)
		return module, at, err == nil
	}
	return "", at, false
}

// escaped writes a module's path as the cache does: an exclamation mark and the small
// letter for each capital.
func escaped(s string) string {
	var b strings.Builder
	for _, c := range s {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('!')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
