package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads two command lines that hold more than a table of options says.

// chained runs the verbs of Miller that stand behind each other, with "then" between them: the
// options of the program come before the first, the files behind the last (mlr(1), VERB LIST).
func (m *machine) chained(args []string, in data, want bool) data {
	for {
		i := slices.Index(args, "then")
		if i < 0 {
			return m.run(append([]string{"mlr"}, args...), in, want)
		}
		m.run(append([]string{"mlr"}, args[:i]...), in, want)
		args, in = args[i+1:], unknown
	}
}

// exifOptions are the options of exiftool that have three letters or more (the
// script itself, 12.57), which is taken for one of them in capitals, too. Sorted.
const exifOptions = "addtagsfromfile alltagsfromfile api argformat args binary charset common_args config coordformat csv csvdelim dateformat decimal delete_original diff duplicates echo efile " +
	"escapec escapehtml escapexml execute export ext extension extractembedded fast file fileorder fixbase forceprint geodir geosync geotag groupheadings groupnames hex htmldump " +
	"htmlformat ignore ignoreminorerrors json lang latin list listitem listx long out overwrite_original overwrite_original_in_place password pause php plot preserve printconv " +
	"printformat progress quiet recurse restore_original scanforxmp sep separator short sort srcfile stay_open struct tab table tagout tagoutext tagsfromfile textout unknown use " +
	"userparam validate ver verbose veryshort wext xmlformat zip"

// withoutTags are arguments of exiftool without the names of tags that it is to show: a dash,
// groups with colons, a name that begins with a capital, and stars (exiftool(1), -TAG). One
// with an equals sign writes.
func withoutTags(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool {
		name, ok := cutPrefix(trimSuffix(strings.ReplaceAll(a, string(rune(mark.Star)), "*"), "#"), "-")
		if !ok || len(name) < 3 || name[0] < 'A' || name[0] > 'Z' || strings.Trim(name, tagLetters) != "" {
			return false
		}
		low := strings.ToLower(strings.TrimRight(name, "0123456789*"))
		return !mark.Among(exifOptions, low) && (strings.ToUpper(name) != name || strings.HasPrefix(name, "GPS"))
	})
}

const tagLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:*?-"
