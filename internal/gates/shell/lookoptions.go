package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file lets through long options that say in every program how much it prints and how
// that looks, where the program's own table does not have them: what a table says of an
// option holds. They are names to which, of the tables that have them, all or nearly all give no
// effect: --quiet in 739 of 740, --verbose in 860 of 865, --silent and --no-progress in all.
// Left out for what they do in some: --debug (prints what it sends, with keys; waits for a
// person), --trace (writes a file), --progress and --stats (take a value), all of one letter.
// The names are long, so they are no options of a program that takes none of that kind.

// lookFlags take nothing.
const lookFlags = "--color-output --force-color --no-ansi --no-color --no-colors --no-colour --no-header --no-headers --no-pager --no-progress --no-summary --no-trunc --no-verbose --no-warnings " +
	"--nocolor --nologo --quiet --silent --verbose"

// lookAlone take nothing in most programs; in some a file is written behind them or a name
// stands there, so they pass where nothing does.
var lookAlone = []string{"--help", "--json", "--version"}

// lookColors take what stands behind a sign of equality, in some programs the next word.
var lookColors = []string{"--color", "--colors", "--colour"}

// lookLevels always take a value.
var lookLevels = []string{"--log-level", "--loglevel", "--verbosity"}

var (
	// colorWords are when colors are used.
	colorWords = []string{"always", "auto", "false", "never", "no", "off", "on", "true", "yes"}
	// levelWords are how much is told. What is told to find faults (debug, trace) may show keys.
	levelWords = []string{"critical", "error", "fatal", "info", "minimal", "none", "normal", "notice", "off", "quiet", "silent", "warn", "warning"}
)

// lookOption says whether a long option only says how much a program prints and how that
// looks, and how many of the next words it takes. One that may take the next word in a
// program that does as few do is not taken for that: which of the words behind it is which would
// not be known.
func lookOption(word string, next []string) (takes int, ok bool) {
	name, value, attached := cutAt(word, "=")
	following := ""
	if len(next) > 0 {
		following = next[0]
	}
	switch {
	case mark.Has(word):
	case mark.Among(lookFlags, name):
		return 0, attached && (value == "true" || value == "false") || !attached && !lookValue(following)
	case isAmong(lookAlone, name):
		return 0, !attached && (len(next) == 0 || strings.HasPrefix(following, "-"))
	case isAmong(lookColors, name):
		return 0, attached && isAmong(colorWords, value) || !attached && !lookValue(following)
	case isAmong(lookLevels, name) && attached:
		return 0, isAmong(levelWords, value)
	case isAmong(lookLevels, name):
		return 1, isAmong(levelWords, following)
	}
	return 0, false
}

// lookValue says whether a word could be the value of such an option, where a program has it
// take one.
func lookValue(word string) bool {
	return isAmong(colorWords, word) || isAmong(levelWords, word) || word == "debug" || word == "trace" || mark.Has(word) || word != "" && strings.Trim(word, "0123456789") == ""
}

// handingRoles are those of words of which some are another program's.
var handingRoles = string([]byte{roleCommand, roleCommandWords, roleCommandLine, roleOwnWords, roleProgram})

// look is lookOption for a program that the table has, whose options are such as others have:
// it takes long ones, and none of its words are another program's. What a program says of an
// account shows more with some of them.
func (r *toolRun) look(listed bool, body string, next []string) (takes int, ok bool) {
	if listed || !only(r.t.opts) || !takesLong(r.t.opts) && (r.parent == nil || !takesLong(r.parent.opts)) || strings.ContainsAny(r.t.operands, handingRoles) ||
		r.t.has(traitOfAccount|traitSlashSwitches) || r.parent != nil && r.parent.has(traitOfAccount|traitSlashSwitches) {
		return 0, false
	}
	return lookOption("--"+body, next)
}

// takesLong says whether a list has a long option.
func takesLong(opts string) bool {
	for tok := range strings.FieldsSeq(opts) {
		if len(tok) > 3 && tok[0] != '-' && tok[0] != '=' && tok[0] != '*' {
			return true
		}
	}
	return false
}
