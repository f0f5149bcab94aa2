package gates

import (
	"slices"
	"strings"
)

// This file is about code of compiled languages that finds out where its user's home is:
// nobody reads such code as a whole, so what it may do there is told by the verbs in it.

// changing are stems of the verbs by which libraries of any language change, send and start
// something. A name that holds one says that the code does more than look.
var changing = [...]string{
	"Chmod", "Chown", "Command", "Connect", "Create", "Delete", "Dial", "Erase", "Exec", "Fetch", "Fopen", "Http.", "Mkdir", "OpenFile", "Post", ".Put(", "Remove", "Rename", "Request", "Rm_", "Rmdir", "Send", "Socket", "Spawn", "Submit",
	"System(", "Trash", "Trunc", "Unlink", "Upload", "Wipe", "Write",
}

// worksAtHome says whether code of a compiled language asks for its user's home and holds a
// verb of change.
func worksAtHome(file, text string) bool {
	lang := codeOf(file)
	switch lang {
	case "c", "hs", "kt", "scala":
	default:
		if !compiledLanguage(lang) {
			return false
		}
	}
	return mentionsHome(withoutSetHome(text)) && slices.ContainsFunc(changing[:], func(verb string) bool {
		return strings.Contains(text, verb) || strings.Contains(text, strings.ToLower(verb))
	})
}

// withoutSetHome is code without the name of the variable of the home where a test sets it for
// itself to the directory that it is given (Go's testing.T.Setenv and TempDir, monkeypatch and tmp_path
// of pytest): what it then finds there is what the test has put there, and to find it the code needs
// another word.
func withoutSetHome(text string) string {
	return setHome.Replace(text)
}

var setHome = strings.NewReplacer(`t.Setenv("HOME", t.TempDir())`, "", `monkeypatch.setenv("HOME", str(tmp_path))`, "", `monkeypatch.setenv('HOME', str(tmp_path))`, "")
