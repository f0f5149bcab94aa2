package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what cargo does with its own manifest and lock file (the Cargo book).

// ownLock judges cargo update that brings in nothing: of the workspace's packages alone (-w), or,
// offline, of one that is called as the directory of the workspace is. All else is the table's.
func (m *machine) ownLock(args []string) bool {
	if len(args) < 2 || args[0] != "update" {
		return false
	}
	own, offline, named := false, false, 0
	for i := 1; i < len(args); i++ {
		switch a := args[i]; a {
		case "-w", "--workspace":
			own = true
		case "--offline":
			offline = true
		case "-q", "--quiet", "-v", "--verbose":
		case "-p", "--package":
			if i++; i == len(args) || mark.Has(args[i]) || !slices.ContainsFunc(m.p.Roots, func(root string) bool { return strings.HasSuffix(root, "/"+args[i]) }) {
				return false
			}
			named++
		default:
			return false
		}
	}
	if own == (named > 0) || !own && !offline {
		return false
	}
	m.build()
	return true
}

// tamesManifest says whether all files by which a builder is told what to run, and which the line
// wrote, are manifests of cargo to which it added or in which it changed what says nothing of that.
func (m *machine) tamesManifest() bool {
	if m.prog != "cargo" {
		return false
	}
	for i := 0; i < len(m.files); i++ {
		f := &m.files[i]
		base := lastElement(f.path)
		switch {
		case !isAmong(buildFiles, base):
		case base != "Cargo.toml" || !f.edited || f.known || f.net:
			return false
		case newVersion(f.edit):
		case i+1 == len(m.files) || !m.files[i+1].addsTables(f.path):
			return false
		default:
			i++ // a redirection that adds notes the file, and then what it added
		}
	}
	return true
}

// addsTables says whether to a file that was there before only such tables were added.
func (f *file) addsTables(path string) bool {
	return f.path == path && !f.fresh && !f.edited && !f.known && !f.net && plainTables(f.tail)
}

// plainTable and plainKey are lines of tables that say how the compiler works and what it warns
// of: profiles and lints (The Manifest Format; Profiles). Other keys of theirs, the flags of
// rustc among them, ask.
var (
	plainTable = regexp.MustCompile(`^\[(?:profile\.[a-z][a-z0-9-]*(?:\.build-override)?|(?:workspace\.)?lints\.(?:rust|clippy|rustdoc))\]$`)
	plainKey   = regexp.MustCompile(`^(?:opt-level|debug|strip|split-debuginfo|debug-assertions|overflow-checks|lto|panic|incremental|codegen-units|rpath|inherits) *= *(?:"[a-z-]*"|true|false|[0-9]+)$|^[a-z][a-z0-9_]* *= *"(?:allow|warn|deny|forbid)"$`)
)

// plainTables says whether a text that is added to a manifest holds such tables alone.
func plainTables(text string) bool {
	tables := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case plainTable.MatchString(line):
			tables++
		case tables == 0 || !plainKey.MatchString(line):
			return false
		}
	}
	return tables > 0
}

// versionEdit is a script of sed that changes the number of a version and nothing else.
var versionEdit = regexp.MustCompile(`^s/\^version *= *"[0-9A-Za-z.+\\-]*"\$?/version *= *"[0-9A-Za-z.+-]+"/g?$`)

// newVersion says whether the arguments of a run of sed in place have one such script and no other.
func newVersion(edit string) bool {
	args := strings.Split(edit, "\n")
	return len(args) == 3 && args[0] == "-i" && versionEdit.MatchString(args[1])
}
