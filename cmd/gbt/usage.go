package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// wrongCommand is a command line that names no command, or one that only holds
// others.
type wrongCommand struct {
	path []string // the commands that were found
	word string   // the one that was not; empty if none was given
	near string
}

func (w *wrongCommand) Error() string {
	at := strings.Join(w.path, " ")
	switch {
	case w.word == "":
		return fmt.Sprintf("%s: name one of its commands", at)
	case w.near != "":
		return fmt.Sprintf("%s has no command %q; did you mean %s? See %s --help", at, w.word, w.near, at)
	}
	return fmt.Sprintf("%s has no command %q; see %s --help", at, w.word, at)
}

// commandOf says what is wrong with the words that name a command. A command
// that does something itself may have others below it and be given arguments.
func commandOf(app *cli.App, args []string) error {
	w := &wrongCommand{path: []string{"gbt"}}
	list, acts := app.Commands, true
	for _, arg := range args[min(1, len(args)):] {
		if strings.HasPrefix(arg, "-") || len(list) == 0 {
			return nil
		}
		next := findCommand(list, arg)
		if next == nil {
			if acts && len(w.path) > 1 {
				return nil
			}
			w.word, w.near = arg, nearestCommand(list, arg)
			return w
		}
		w.path = append(w.path, arg)
		list, acts = next.Subcommands, next.Action != nil
	}
	if acts || len(list) == 0 {
		return nil
	}
	return w
}

// requiredFlags is how the library says that options are missing.
var requiredFlags = regexp.MustCompile(`^Required flags? "(.*)" not set$`)

// wrongFlags is what the library says of a command's options, with where to read about them.
func wrongFlags(app *cli.App, args []string, err error) error {
	at, list := "gbt", app.Commands
	for _, arg := range args[min(1, len(args)):] {
		next := findCommand(list, arg)
		if next == nil {
			break
		}
		at, list = at+" "+next.Name, next.Subcommands
	}
	says := err.Error()
	if m := requiredFlags.FindStringSubmatch(says); m != nil {
		says = at + " needs --" + strings.ReplaceAll(m[1], ", ", " and --")
	}
	return fail(exitUsage, "%s; see %s --help", says, at)
}

// usage prints what is wrong with a command line, and the help of a command that
// was named without one of its own: all on standard error, as it is no result.
func usage(app *cli.App, stderr io.Writer, args []string, err error, help *bytes.Buffer) int {
	if w := err.(*wrongCommand); w.word == "" {
		if app.Run(append(slices.Clone(args), "--help")) == nil {
			stderr.Write(plainHelp(help.Bytes()))
		}
	}
	return report(stderr, err)
}

// nearestCommand is the command that shares the longest beginning with a word, of
// at least two letters, or holds the same letters in another order.
func nearestCommand(list []*cli.Command, word string) string {
	best, at := "", 1
	for _, c := range list {
		n := 0
		for n < len(word) && n < len(c.Name) && word[n] == c.Name[n] {
			n++
		}
		if sortedLetters(word) == sortedLetters(c.Name) {
			n = len(word)
		}
		if n > at {
			best, at = c.Name, n
		}
	}
	return best
}

func sortedLetters(s string) string {
	b := []byte(s)
	slices.Sort(b)
	return string(b)
}

// examples is the end of a command's description.
func examples(lines ...string) string { return "Examples:\n   " + strings.Join(lines, "\n   ") }

// plainHelp takes out defaults that say nothing: a flag that is not given is off,
// and the number 0 stands for a default that the text of the flag states.
func plainHelp(help []byte) []byte {
	for _, noise := range []string{" (default: 0)", " (default: false)"} {
		help = bytes.ReplaceAll(help, []byte(noise), nil)
	}
	return help
}
