package names

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/names/namestest"
)

// TestNames holds every test for a sensitive name to what it says of thousands of
// names and near misses; names.txt of package namestest tells how to read it.
func TestNames(t *testing.T) {
	full := func(name string) string {
		if name[0] == '/' {
			return name
		}
		return "/w/" + name
	}
	known := strings.NewReplacer("\x02", "*", "\x03", "?")
	namestest.Check(t, map[rune]func(name string) bool{
		's': func(n string) bool { return Sensitive(full(n)) },
		'g': func(n string) bool { return SensitiveGlob(full(n)) },
		't': func(n string) bool { return SensitiveTail("\x00" + full(n)) },
		'f': func(n string) bool { return SoughtSecret(known.Replace(n)) },
		'v': SecretVariable,
		'k': func(n string) bool { return SecretVariablePart(strings.ToUpper(n)) },
		'r': func(n string) bool { return SecretResource(strings.ToLower(n)) },
		'q': func(n string) bool { return SecretTable(strings.ToLower(n)) },
		'G': func(n string) bool { return Guarded(strings.TrimPrefix(n, "/")) },
		'H': func(n string) bool { return GuardedGlob(strings.TrimPrefix(n, "/")) },
	})
}

func TestSensitiveNamesAreRows(t *testing.T) {
	for i, n := range sensitiveNames {
		if n.word == "" || n.use == 0 {
			t.Errorf("row %d, %q, says nothing", i, n.word)
		}
		if i > 0 && sensitiveNames[i-1].word >= n.word {
			t.Errorf("%q comes before %q: rows are sorted by bytes, and a word has one", n.word, sensitiveNames[i-1].word)
		}
		if n.use&unsought != 0 && n.use&(file|target|exact) == 0 {
			t.Errorf("%q is no file's name, and unsought", n.word)
		}
		if n.use&(variablePart|toolWord|argument|keyPart|keyWord|header|resource|table) != 0 && n.word != strings.ToLower(n.word) {
			t.Errorf("%q is compared in lower case", n.word)
		}
		if n.use&variable != 0 && n.word != strings.ToUpper(n.word) {
			t.Errorf("%q is compared in upper case", n.word)
		}
	}
}

func TestGuardedNamesAreSorted(t *testing.T) {
	if len(guardedNames) == 0 || !slices.IsSorted(guardedNames[:]) {
		t.Error("guardedNames is empty or unsorted")
	}
	for _, n := range guardedNames {
		if n != Fold(n) || !strings.Contains(".abjlorsu", n[:1]) {
			t.Errorf("%q is not found", n)
		}
	}
}

// TestMayFind: patterns that find files of secrets, and the nearest that don't.
func TestMayFind(t *testing.T) {
	for pattern, want := range map[string]bool{
		"*": true, "*.json": true, "cred*": true, "id_*": true, "*.pem": true, ".e*": true, "…": true, "CRED*": true, "*.[": true,
		"*.go": false, "2026-*.json": false, "main*": false, "README*": false, "*.md": false,
	} {
		if got := MayFind(pattern); got != want {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
	}
}
