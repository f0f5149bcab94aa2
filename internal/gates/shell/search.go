package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// Search is a run of a program that looks for lines (grep(1), rg(1)).
type Search struct {
	Operands []string
	Walks    bool // it goes through directories
	Hidden   bool // hidden files too
	Ignored  bool // and those that git ignores
	Inverted bool // and prints the lines that do not match
	Names    bool // or names and numbers alone
	pattern  *regexp.Regexp
	include  []string
	exclude  []string
}

// searchOptions are those of grep(1), and rgOptions those of rg(1), that take a value.
var (
	searchOptions = getopt{valued: "efABCmdD", longs: "regexp= file= include= exclude= exclude-dir= exclude-from= after-context= before-context= context= max-count= color? colour? binary-files= directories= devices= label= group-separator= recursive dereference-recursive ignore-case fixed-strings extended-regexp perl-regexp basic-regexp invert-match files-with-matches files-without-match count quiet silent"}
	rgOptions     = getopt{valued: "efABCmgtTMjdEr", longs: "regexp= file= glob= iglob= type= type-not= after-context= before-context= context= max-count= max-columns= max-depth= threads= encoding= replace= color= colors= sort= sortr= engine= pre= pre-glob= ignore-file= hidden no-ignore no-ignore-vcs unrestricted ignore-case smart-case fixed-strings invert-match files-with-matches files-without-match count quiet files"}
)

// SearchOf reads the words of a search; ok is false for other programs, and for a search of
// which not all words are known.
func SearchOf(words []string) (s Search, ok bool) {
	if len(words) == 0 || slices.ContainsFunc(words, mark.Has) {
		return s, false
	}
	spec, name := &searchOptions, baseName(words[0])
	hidden, ignored, extendedName := true, true, false
	switch name {
	case "grep", "egrep", "fgrep", "ggrep":
	case "ag":
		spec, hidden, ignored, s.Walks, extendedName = &rgOptions, false, false, true, true
		for _, w := range words[1:] { // ag(1): its letters are not those of rg
			hidden = hidden || w == "--hidden" || w == "-u" || w == "--unrestricted"
			ignored = ignored || w == "-U" || w == "-u" || w == "-a" || w == "-t" || w == "--skip-vcs-ignores" || w == "--unrestricted" || w == "--all-types" || w == "--all-text"
		}
	case "rg":
		spec, hidden, ignored, s.Walks = &rgOptions, false, false, true
	default:
		return s, false
	}
	opts, operands := spec.read(words[1:])
	pattern, given := "", false
	fixed, extended, folded := name == "fgrep", name == "egrep" || name == "rg" || extendedName, false
	for _, o := range opts {
		switch o.name {
		case "e", "regexp":
			pattern, given = o.value, true
		case "f", "file":
			return s, false
		case "r", "R", "recursive", "dereference-recursive":
			s.Walks = s.Walks || name != "rg"
		case "hidden", ".":
			hidden = true
		case "no-ignore", "no-ignore-vcs":
			ignored = true
		case "u", "unrestricted":
			hidden, ignored = hidden || ignored, true
		case "i", "ignore-case", "S", "smart-case":
			folded = true
		case "F", "fixed-strings":
			fixed = true
		case "E", "P", "extended-regexp", "perl-regexp":
			extended = true
		case "v", "invert-match":
			s.Inverted = true
		case "l", "L", "c", "q", "files-with-matches", "files-without-match", "count", "quiet", "silent", "files":
			s.Names = true
		case "include":
			s.include = append(s.include, o.value)
		case "g", "glob":
			if rest, not := cutPrefix(o.value, "!"); not {
				s.exclude = append(s.exclude, rest)
			} else {
				s.include = append(s.include, o.value)
			}
		case "t", "type":
			s.include = append(s.include, typeNames(o.value)...)
		case "exclude", "exclude-dir":
			s.exclude = append(s.exclude, o.value)
		}
	}
	if !given {
		if len(operands) == 0 {
			return s, false
		}
		pattern, operands = operands[0], operands[1:]
	}
	s.Hidden, s.Ignored = hidden, ignored
	s.Operands, s.pattern = operands, searchPattern(pattern, fixed, extended, folded)
	return s, true
}

// typeNames are the names of a type of files of rg(1) among those that hold values (rg --type-list).
func typeNames(kind string) []string {
	if kind == "yaml" {
		return []string{"*.yaml", "*.yml"}
	}
	return []string{"*." + kind}
}

// searchPattern is a pattern as Go writes it, nil for one that cannot be: it may match
// anything.
func searchPattern(s string, fixed, extended, folded bool) *regexp.Regexp {
	switch {
	case fixed:
		s = regexp.QuoteMeta(s)
	case !extended: // basic ones have a backslash where others have none (POSIX 9.3)
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			c := s[i]
			switch {
			case c == '\\' && i+1 < len(s) && firstByte("(){}|+?", s[i+1]) >= 0:
				i++
				b.WriteByte(s[i])
			case firstByte("(){}|+?", c) >= 0:
				b.WriteString("\\" + string(c))
			default:
				b.WriteByte(c)
			}
		}
		s = b.String()
	}
	if folded {
		s = "(?i)" + s
	}
	r, err := regexp.Compile("(?m)" + s)
	if err != nil {
		return nil
	}
	return r
}

// Shows says whether the search prints something of a text.
func (s *Search) Shows(text string) bool {
	if s.Names || text == "" {
		return false
	}
	if s.pattern == nil || s.Inverted {
		return true
	}
	return s.pattern.MatchString(text)
}

// Picks says whether the search, given names as its input, prints one of them.
func (s *Search) Picks(name string) bool {
	return !s.Names && (s.pattern == nil || s.pattern.MatchString(name) != s.Inverted)
}

// Skips says whether options leave a file out by its name, or by that of a directory it is in.
func (s *Search) Skips(file string) bool {
	fits := func(list []string) bool {
		return slices.ContainsFunc(list, func(pattern string) bool {
			pattern = trimSuffix(trimPrefix(pattern, "**/"), "/**")
			for _, element := range strings.Split(strings.Trim(file, "/"), "/") {
				if ok, err := path.Match(strings.Trim(pattern, "/"), element); ok && err == nil {
					return true
				}
			}
			return false
		})
	}
	return fits(s.exclude) || len(s.include) > 0 && !fits(s.include)
}
