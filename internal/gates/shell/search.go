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
	All      bool // it goes through directories, hidden and ignored files too
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
	spec, name := &searchOptions, path.Base(words[0])
	hidden, ignored, extendedName := true, true, false
	switch name {
	case "grep", "egrep", "fgrep", "ggrep":
	case "ag":
		spec, hidden, ignored, s.All, extendedName = &rgOptions, false, false, true, true
		for _, w := range words[1:] { // ag(1): its letters are not those of rg
			hidden = hidden || w == "--hidden" || w == "-u" || w == "--unrestricted"
			ignored = ignored || w == "-U" || w == "-u" || w == "-a" || w == "-t" || w == "--skip-vcs-ignores" || w == "--unrestricted" || w == "--all-types" || w == "--all-text"
		}
	case "rg":
		spec, hidden, ignored, s.All = &rgOptions, false, false, true
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
			s.All = s.All || name != "rg"
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
			if rest, not := strings.CutPrefix(o.value, "!"); not {
				s.exclude = append(s.exclude, rest)
			} else {
				s.include = append(s.include, o.value)
			}
		case "t", "type":
			hidden = false
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
	s.All = s.All && hidden && ignored
	s.Operands, s.pattern = operands, searchPattern(pattern, fixed, extended, folded)
	return s, true
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
			case c == '\\' && i+1 < len(s) && strings.IndexByte("(){}|+?", s[i+1]) >= 0:
				i++
				b.WriteByte(s[i])
			case strings.IndexByte("(){}|+?", c) >= 0:
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
			pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "**/"), "/**")
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

// ListsAll says whether the words of a run list all files of directories by their names,
// hidden ones too, and which directories: find without a test of names, ls with -a or -A.
// deep says that it goes down.
func ListsAll(words []string) (dirs []string, deep, ok bool) {
	if len(words) == 0 || slices.ContainsFunc(words, mark.Has) {
		return nil, false, false
	}
	switch path.Base(words[0]) {
	case "find", "gfind":
		not := false
		for i, w := range words[1:] {
			switch w {
			case "!", "-not":
				not = true
				continue
			case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-samefile":
				if !not && !slices.Contains(words[i+1:], "-prune") {
					return nil, false, false
				}
			}
			not = false
			if w != "" && w[0] != '-' && w != "(" && i == len(dirs) {
				dirs = append(dirs, w)
			}
		}
		deep = true
	case "ls", "gls":
		for _, w := range words[1:] {
			switch {
			case len(w) > 1 && w[0] == '-' && w[1] != '-':
				ok = ok || strings.ContainsAny(w, "aAf")
				deep = deep || strings.Contains(w, "R")
			case w == "--all" || w == "--almost-all":
				ok = true
			case w != "" && w[0] != '-':
				dirs = append(dirs, w)
			}
		}
		if !ok {
			return nil, false, false
		}
	case "fd", "fdfind":
		opts, operands := fdOptions.read(words[1:])
		hidden, ignored := false, false
		for _, o := range opts {
			switch o.name {
			case "H", "hidden":
				hidden = true
			case "I", "no-ignore":
				ignored = true
			case "u", "unrestricted":
				hidden, ignored = true, true
			case "e", "extension", "g", "glob":
				return nil, false, false
			}
			if o.name == "x" || o.name == "X" {
				break
			}
		}
		if !hidden || !ignored || len(operands) > 0 && operands[0] != "." && operands[0] != "" {
			return nil, false, false
		}
		if len(operands) > 1 {
			dirs = operands[1:2]
		}
		deep = true
	default:
		return nil, false, false
	}
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	return dirs, deep, true
}
