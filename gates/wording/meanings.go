package wording

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/internal/gates/names"
)

// meaning is what words of options, commands and calls of code say in most programs and
// libraries that have them. The lists are English and hold no names of programs.
type meaning struct {
	words   string // sorted by nothing; one of them as a part of the word is enough
	options string // more of them that say it in options alone
	option  string // behind "which can" and "which by its name can"; empty where options do not say it
	command string // behind "by its name "
	device  bool   // where a device is named, it is written to
	objects int    // how many names behind the word are of what it is done to and may be shown; 1: what looks like a file or a place
	shown   bool   // to show it is what it is about
	sends   bool   // it goes to the addresses that are named
	note    string
	weight  uint8
	instead string
}

// meanings, the worst first: a run that has words of several is told by the first.
var meanings = [...]meaning{
	{
		words:   names.Flashes,
		option:  "write or erase the memory of a device",
		command: "writes or erases the memory of a device",
		device:  true, objects: 1,
		note: "; what was there is lost, and the device may not start without it", weight: 6, instead: "Say which device it is and what is written there, and ask for it.",
	},
	{
		words:   names.Publishes,
		option:  "send or release something of yours",
		command: "sends or releases something of yours",
		device:  true, sends: true, objects: 1,
		note: "; what is out cannot be called back", weight: 5, instead: "Leave this to the user: say what is ready, or ask for it.",
	},
	{
		words:   names.Releases,
		option:  "make a release or send it out",
		command: "makes a release of yours or sends it out",
		device:  true, sends: true, objects: 1,
		note: "; what is out cannot be called back", weight: 5, instead: "Leave this to the user: say what is ready, or ask for it.",
	},
	{
		words:   names.Withdraws,
		command: "takes back what was published",
		objects: 2,
		note:    "; others may depend on it", weight: 5, instead: "Leave this to the user, or ask for it.",
	},
	{
		words:   names.Deletes,
		option:  "delete or reset something",
		command: "deletes or resets something",
		objects: 2,
		note:    "; what goes may be gone for good", weight: 4, instead: "Say what it deletes, and ask for it.",
	},
	{
		words:   names.Migrates,
		command: "changes a database, machines or services",
		objects: 2,
		note:    "; it may be hard to undo", weight: 4, instead: "Say what it changes there and how it can be undone, and ask for it.",
	},
	{
		words:   names.Sends,
		option:  "send something to others",
		command: "sends something",
		sends:   true,
		note:    "; what has been sent cannot be called back", weight: 4, instead: "Show the user what you would send and to whom, and ask for it.",
	},
	{
		words:   names.ShowsSecrets,
		option:  "show or use passwords or keys",
		command: "shows, stores or uses passwords or keys",
		shown:   true,
		note:    "; the model sees what is printed of them", weight: 3, instead: "Work without them, or tell the user which value is needed and what for.",
	},
	{
		words:   names.Grants,
		command: "shows or changes who may do what",
		note:    "; it holds until somebody changes it back", weight: 3, instead: "Leave this to the user, or say what is to change and ask for it.",
	},
	{
		words:   names.Stops,
		command: "stops, restarts or ends something that runs",
		objects: 2,
		note:    "; what it was doing or held may be lost", weight: 3, instead: "Say what it stops and who uses that, and ask for it.",
	},
	{
		words:   names.RunsCode,
		options: "sh pager editor wrapper preload require import loader compiler interpreter browser processor postprocessor preprocessor init",
		option:  "run a program or load code",
		command: "runs code or a command, or opens a prompt for them",
		note:    able, weight: 2, instead: "Say what runs, and ask for it.",
	},
	{
		words:   names.Installs,
		options: "add update sync",
		option:  "install or update something",
		command: "installs, downloads or updates something",
		note:    "; what it brings may run code of whoever wrote it", weight: 2, instead: usePresent,
	},
	{
		words:   names.Connects,
		options: "registry host hostname url source repo repository index endpoint resolve tracing bind port",
		option:  "change where it sends things or gets them from",
		command: "opens or uses a connection",
		note:    "; what is at the other end, gbt cannot tell", weight: 2, instead: "Say where it connects to and what for, and ask for it.",
	},
	{
		words:   names.Changes,
		command: "adds, changes or replaces something",
		note:    able, weight: 1, instead: "Say what it changes and where, and ask for it.",
	},
	{
		words:   names.Configures,
		command: "changes settings",
		note:    "; they hold until somebody changes them back", weight: 1, instead: "Say which setting changes and what for, and ask for it.",
	},
}

// meaningOf is what a word says by its parts; nil where it says nothing of that kind.
func meaningOf(word string, option bool) *meaning {
	parts := partsOf(word)
	for i := range meanings {
		m := &meanings[i]
		if option && m.option == "" {
			continue
		}
		if slices.ContainsFunc(parts, func(p string) bool { return hasField(m.words, p) || option && hasField(m.options, p) }) {
			return m
		}
	}
	return nil
}

// partsOf are the words that a name is made of, in small letters: --show-secrets,
// Pkg.add, showSecrets.
func partsOf(word string) []string {
	var b strings.Builder
	small := false
	for _, r := range word {
		if unicode.IsUpper(r) && small {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return append(strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), strings.ToLower(strings.TrimLeft(word, "-")))
}
