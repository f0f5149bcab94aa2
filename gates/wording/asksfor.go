package wording

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// This file words runs that ask a program for less than its words seem to say: for the help of
// one of its commands, for the archive of a package.

// helpOf is the command of a program whose help its words ask for: plain words with --help behind
// them, or -h behind words that are no names of files. Empty where they ask for something else.
func helpOf(words []string) string {
	n := len(words) - 1
	if n < 1 || words[n] != "--help" && words[n] != "-h" {
		return ""
	}
	for _, w := range words[:n] {
		if strings.HasPrefix(w, "-") || !plainWord(w) || words[n] == "-h" && (!commandWord(w) || strings.ContainsAny(w, "./")) {
			return ""
		}
	}
	return shorten(strings.Join(words[:n], " "), maxObject)
}

// doesInstead is said because, instead of printing its help, a program that reads its words by hand may do what they say.
const doesInstead = "; if it does not read --help there, it does that instead"

// helpAsked words a run of a program that gbt does not know which asks for the help of a command.
func (s *subject) helpAsked(e *gates.Effect) (clause, bool) {
	r := s.runOf(e)
	if r == nil || len(r.Words) == 0 {
		return clause{}, false
	}
	of := helpOf(r.Words[1:])
	if of == "" {
		return clause{}, false
	}
	return clause{what: "asks " + name(path.Base(r.Words[0])) + unknownProgram + ", for its help on " + of, note: doesInstead, weight: 1, instead: "Read its manual, or ask for this run."}, true
}

// inside is the program that a command starts in a container, and the container.
func (c *command) inside(container string) string {
	rest := c.words[slices.Index(c.words, container)+1:]
	if i := slices.Index(rest, "--"); i >= 0 { // behind it stands the command alone
		rest = rest[i+1:]
	}
	if len(rest) == 0 || strings.Contains(rest[0], unknown) {
		return "a command in " + name(container)
	}
	return shownWords(rest, nil) + " in " + name(container)
}

// helpInside is the program in a container that a command asks for the help of one of its commands.
func (c *command) helpInside(container string) (program, of string) {
	rest := c.words[slices.Index(c.words, container)+1:]
	if i := slices.Index(rest, "--"); i >= 0 {
		rest = rest[i+1:]
	}
	if len(rest) < 2 || strings.Contains(rest[0], unknown) {
		return "", ""
	}
	return name(path.Base(rest[0])) + " in " + name(container), helpOf(rest[1:])
}

// restored words pg_restore into a database (pg_restore(1), -d and -c); into none it only prints.
func (s *subject) restored(e *gates.Effect, c *command) []clause {
	to, ok := c.option("-d", "--dbname")
	if !ok {
		return nil
	}
	base := "the database"
	if plainWord(to) && !strings.ContainsAny(to, "/:=@") {
		base += " " + name(to)
	}
	base += s.atMachine(e)
	if c.has("c", "--clean") {
		return []clause{{what: "drops what " + base + " holds of the tables and other objects of a dump, and makes them anew from it", note: "; what the dump does not have of them is lost, and that cannot be undone", weight: 7, instead: sayData}}
	}
	return []clause{{what: "writes what a dump holds into " + base, note: "; it is there for all who use that from then on", weight: 4, instead: "Say which database it is and ask for it."}}
}

// packed are the packages whose archives npm pack downloads: names of npm's registry, and nothing
// else (docs.npmjs.com: npm-pack, package-spec). Empty where it may pack a directory here.
func (s *subject) packed(e *gates.Effect) string {
	r := s.runOf(e)
	if r == nil || len(r.Words) < 3 || r.Words[0] != "npm" || r.Words[1] != "pack" {
		return ""
	}
	var out []string
	for _, w := range r.Words[2:] {
		switch {
		case strings.HasPrefix(w, "-"):
		case !registryName(w):
			return ""
		default:
			out = append(out, name(w))
		}
	}
	return join(out)
}

// registryName says whether a word names a package of the registry: name, @scope/name, either with
// @ and a version or a tag. Any other slash, and a dot in front, mean a directory, a file or git.
func registryName(w string) bool {
	scope, rest, scoped := strings.Cut(w, "/")
	if !scoped {
		rest = scope
	} else if !strings.HasPrefix(scope, "@") || len(scope) < 2 || !packageWord(scope[1:]) {
		return false
	}
	pkg, version, _ := strings.Cut(rest, "@")
	return packageWord(pkg) && !strings.HasSuffix(pkg, ".tgz") && !strings.HasSuffix(pkg, ".tar.gz") && !strings.HasSuffix(pkg, ".tar") &&
		(version == "" || !strings.ContainsAny(version, "/:@\\"+unknown))
}

func packageWord(w string) bool {
	return w != "" && w[0] != '.' && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-~") == ""
}
