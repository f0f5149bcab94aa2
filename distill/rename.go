package distill

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/segment"
)

// Renaming says which names of logs get others (invariant 10: names prove nothing).
type Renaming uint8

// The renamings, each with all that those before it rename. What hosts document
// keeps its name in all of them: their own tools, programs of a shell, directories
// of the Filesystem Hierarchy Standard.
const (
	RenameValues      Renaming = iota // users, hosts, roots, ids and amounts
	RenameSynonyms                    // and tools, by words of the same classes
	RenameMeaningless                 // and tools, by words that mean nothing, with schemas
	NumRenamings
)

var renamingNames = [NumRenamings]string{"values", "synonyms", "meaningless"}

// String returns the renaming's name.
func (r Renaming) String() string { return renamingNames[r] }

// renamer gives the same name the same other one wherever it stands, in every
// episode, and without a table: by a digest of name and seed. What a value looks
// like stays: letters, digits and signs stand where they stood. All amounts grow
// by one factor, so that sums still add up.
type renamer struct {
	seed  uint64
	tools map[string]string // an application's tool as a log has it, to its new name
}

// newRenamer chooses the names of the tools of all episodes together, so that no
// two get the same.
func newRenamer(how Renaming, seed uint64, episodes []*corpora.Episode) *renamer {
	r := &renamer{seed: seed, tools: map[string]string{}}
	if how == RenameValues {
		return r
	}
	old, taken := map[string]bool{}, map[string]bool{}
	for _, e := range episodes {
		for i := range e.Steps {
			old[e.Steps[i].Tool], taken[e.Steps[i].Tool] = true, true
		}
		for _, t := range e.Tools {
			old[t], taken[t] = true, true
		}
	}
	for _, t := range slices.Sorted(maps.Keys(old)) {
		if c := call.Classify(t); c.Basis == call.BasisBuiltin || len(call.Words(t)) == 0 || strings.ContainsAny(t, " \n") {
			continue
		}
		for try := range uint64(32) {
			name := r.synonym(t, try)
			if how == RenameMeaningless {
				name = r.word(fmt.Sprint(t, try)) + "_" + r.word(fmt.Sprint(try, t))
			}
			if fits(how, t, name) && !taken[name] {
				r.tools[t], taken[name] = name, true
				break
			}
		}
	}
	return r
}

// fits says whether a tool's new name says as much as it should: the same as the
// old one, or nothing.
func fits(how Renaming, from, to string) bool {
	was, is := call.Classify(from), call.Classify(to)
	if how == RenameMeaningless {
		return is.Family == call.FamilyUnknown
	}
	return was == is && from != to
}

// schemas are what a user would write of the renamed tools: what each does, and
// what each of its arguments is for, as the old name said it.
func (r *renamer) schemas(episodes []*corpora.Episode, k *gates.Checker) []call.Schema {
	roles := map[string]map[string]effect.Role{}
	for _, e := range episodes {
		for i := range e.Steps {
			s := &e.Steps[i]
			if r.tools[s.Tool] == "" {
				continue
			}
			if roles[s.Tool] == nil {
				roles[s.Tool] = map[string]effect.Role{}
			}
			c := k.Read(gates.Request{Tool: s.Tool, Args: []byte(s.Args)}, &gates.State{})
			for j := range c.Args {
				key, _, _ := strings.Cut(c.Args[j].Path, ".")
				if role, _ := effect.ParseRole(c.Args[j].Role); role != effect.RoleNone && key != "" {
					roles[s.Tool][key] = max(roles[s.Tool][key], role)
				}
			}
		}
	}
	var out []call.Schema
	for _, tool := range slices.Sorted(maps.Keys(roles)) {
		c := call.Classify(tool)
		s := call.Schema{Tool: r.tools[tool], Family: c.Family, Verb: c.Verb, Resource: c.Resource}
		for _, key := range slices.Sorted(maps.Keys(roles[tool])) {
			s.Args = append(s.Args, call.ArgSchema{Name: key, Role: roles[tool][key]})
		}
		if s.Check() == nil { // a tool that nobody knew stays one
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b call.Schema) int { return cmp.Compare(a.Tool, b.Tool) })
	return out
}

// episode returns an episode with other names. Task, group and place keep theirs:
// they are no part of what an agent sees.
func (r *renamer) episode(e *corpora.Episode) *corpora.Episode {
	t := r.texts(e)
	out := *e
	out.Task, out.Final = t.text(e.Task), t.text(e.Final)
	out.Tools = slices.Clone(e.Tools)
	for i, tool := range e.Tools {
		out.Tools[i] = t.tool(tool)
	}
	out.Steps = slices.Clone(e.Steps)
	for i := range out.Steps {
		s := &out.Steps[i]
		s.Before = len(t.text(s.Text[:min(s.Before, len(s.Text))]))
		for _, p := range [...]*string{&s.Args, &s.Text, &s.Heard, &s.Result, &s.Error, &s.Cwd, &s.Branch} {
			*p = t.text(*p)
		}
		s.Tool = t.tool(s.Tool)
		s.Deltas = slices.Clone(s.Deltas)
		for j := range s.Deltas {
			s.Deltas[j].Resource = t.text(s.Deltas[j].Resource)
		}
	}
	out.Verdicts = slices.Clone(e.Verdicts)
	for i := range out.Verdicts {
		out.Verdicts[i].Detail = t.text(out.Verdicts[i].Detail)
	}
	return &out
}

// texts renames the texts of one episode: what is a user's name or a root, the
// episode itself says.
type texts struct {
	*renamer
	users   map[string]bool // in lower case
	roots   map[string]bool // first directories
	amounts bool
}

// texts gathers the users and the roots of an episode. In a log of commands a
// number may be a port, a mode or a line: only others have amounts.
func (r *renamer) texts(e *corpora.Episode) *texts {
	t := &texts{renamer: r, users: map[string]bool{}, roots: map[string]bool{}, amounts: true}
	t.look(e.Task)
	for i := range e.Steps {
		s := &e.Steps[i]
		switch call.Classify(s.Tool).Family {
		case call.FamilyShell, call.FamilyCode, call.FamilySQL:
			t.amounts = false
		}
		t.look(s.Args)
		t.look(s.Result)
		if top, _, _ := strings.Cut(strings.TrimPrefix(s.Cwd, "/"), "/"); top != "" && !standardDirs[top] {
			t.roots[top] = true
		}
		for _, m := range userArgument.FindAllStringSubmatch(s.Args, -1) {
			t.user(m[1])
		}
	}
	return t
}

func (t *texts) look(s string) {
	for _, m := range token.FindAllString(s, -1) {
		switch {
		case strings.IndexByte(m, '@') > 0:
			t.user(m[:strings.IndexByte(m, '@')])
		case m[0] == '/':
			parts := strings.Split(m[1:], "/")
			if len(parts) > 1 && homes[parts[0]] {
				t.user(parts[1])
			} else if len(parts) > 1 && !standardDirs[parts[0]] {
				t.roots[parts[0]] = true
			}
		}
	}
}

// user notes the words of a user's name. Plain words are nobody's.
func (t *texts) user(name string) {
	for _, w := range letterRun.FindAllString(strings.ToLower(name), -1) {
		if _, plain := segment.Plain(w); !plain && len(w) > 2 {
			t.users[w] = true
		}
	}
}

var (
	// token finds what may be a name: an escape of JSON (none), an address of mail,
	// of the web, a host, a path, a date or a time (none), a word with digits, a word.
	token = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\["\\/bfnrt]` +
		`|[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+` +
		`|[a-z][a-z0-9+.-]*://[^\s"'<>\\)\]},|]+` +
		`|(?:[A-Za-z0-9-]+\.)+(?:com|org|net|io|edu|gov|info)\b` +
		`|[A-Za-z0-9._~$-]+(?:/[A-Za-z0-9._@%+-]+)+|(?:/[A-Za-z0-9._@%+-]+)+` +
		`|\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}(?::\d{2})?` +
		`|[A-Za-z0-9_]*\d[A-Za-z0-9_]*(?:\.\d+)?|[A-Za-z][A-Za-z0-9_]*`)
	letterRun    = regexp.MustCompile(`[a-z]+`)
	wordOrNumber = regexp.MustCompile(`[A-Za-z]+|[A-Za-z0-9]*\d[A-Za-z0-9]*`)
	userArgument = regexp.MustCompile(`"(?:user|username|user_name|recipient|participant|member|author|sender|owner|name|first_name|last_name)"\s*:\s*"([A-Z][a-z]+(?: [A-Z][a-z]+)?)"`)

	homes        = map[string]bool{"home": true, "Users": true}
	standardDirs = map[string]bool{
		"Applications": true, "Library": true, "System": true, "Users": true, "Volumes": true, "bin": true, "boot": true, "dev": true, "etc": true,
		"home": true, "lib": true, "lib32": true, "lib64": true, "media": true, "mnt": true, "nix": true, "opt": true, "private": true, "proc": true,
		"root": true, "run": true, "sbin": true, "srv": true, "sys": true, "tmp": true, "usr": true, "var": true,
	}
)

func (t *texts) tool(name string) string { return cmp.Or(t.tools[name], name) }

func (t *texts) text(s string) string { return token.ReplaceAllStringFunc(s, t.token) }

func (t *texts) token(m string) string {
	at := strings.IndexByte(m, '@')
	switch {
	case m[0] == '\\', isTime(m):
		return m
	case strings.Contains(m, "://"):
		scheme, rest, _ := strings.Cut(m, "://")
		host, path, found := strings.Cut(rest, "/")
		if found {
			path = "/" + t.parts(path)
		}
		return scheme + "://" + t.host(host) + path
	case at > 0 && strings.IndexByte(m, '/') < 0:
		return t.parts(m[:at]) + "@" + t.host(m[at+1:])
	case m[0] == '/':
		return t.path(m)
	case strings.IndexByte(m, '/') > 0:
		return t.parts(m)
	case strings.IndexByte(m, '.') > 0 && strings.ContainsAny(m, "abcdefghijklmnopqrstuvwxyz") && !strings.ContainsAny(m, "0123456789"):
		return t.host(m)
	case t.tools[m] != "":
		return t.tools[m]
	}
	return t.part(m)
}

// isTime says whether a token is a date or a time of day.
func isTime(m string) bool {
	return len(m) == len("2006-01-02") && m[4] == '-' && m[7] == '-' || strings.IndexByte(m, ':') > 0 && !strings.Contains(m, "://")
}

// part renames a word: a user's, an id, an amount.
func (t *texts) part(m string) string {
	switch {
	case t.users[strings.ToLower(m)]:
		return likeCase(m, t.word(strings.ToLower(m)))
	case strings.ContainsAny(m, "0123456789"):
		return t.number(m)
	}
	return m
}

// parts renames the words of a name that is put together.
func (t *texts) parts(s string) string { return wordOrNumber.ReplaceAllStringFunc(s, t.part) }

// path renames the user's name below a directory of homes, or the root.
func (t *texts) path(p string) string {
	top, rest, below := strings.Cut(p[1:], "/")
	switch {
	case homes[top] && below:
		user, file, more := strings.Cut(rest, "/")
		rest = t.word(user)
		if more {
			rest += "/" + t.parts(file)
		}
	case t.roots[top]:
		top, rest = t.word(top), t.parts(rest)
	default:
		rest = t.parts(rest)
	}
	if !below {
		return "/" + top
	}
	return "/" + top + "/" + rest
}

// host renames the labels of a host but for its public suffix. Addresses of
// machines by number stay.
func (t *texts) host(h string) string {
	labels := strings.Split(h, ".")
	if strings.Trim(h, "0123456789.:") == "" || len(labels) < 2 {
		return h
	}
	public := 1
	if n := len(labels); n > 2 && (labels[n-2] == "co" || labels[n-2] == "ac" || labels[n-2] == "com") {
		public = 2
	}
	for i, l := range labels[:len(labels)-public] {
		if l != "www" && l != "" {
			labels[i] = t.word(strings.ToLower(l))
		}
	}
	return strings.Join(labels, ".")
}

// amountFactor is what amounts grow by. Numbers below smallest are days, hours
// and counts; four digits that may be a year are one.
const (
	amountFactor = 3
	smallest     = 32
	maxAmount    = 9 // digits; longer ones are ids
	minID        = 6 // characters
)

func (t *texts) number(m string) string {
	whole, decimals, _ := strings.Cut(m, ".")
	if strings.Trim(whole, "0123456789") != "" || len(whole) > maxAmount {
		if len(m) < minID || strings.Count(m, ".") > 0 {
			return m
		}
		return t.id(m)
	}
	n, err := strconv.Atoi(whole + decimals)
	small, _ := strconv.Atoi(whole)
	if err != nil || !t.amounts || small < smallest || small >= 1900 && small < 2100 && decimals == "" || whole[0] == '0' {
		return m
	}
	s := strconv.Itoa(n * amountFactor)
	if decimals != "" {
		return s[:len(s)-len(decimals)] + "." + s[len(s)-len(decimals):]
	}
	return s
}

// id gives a word other digits, none of which makes it shorter as a number.
func (t *texts) id(m string) string {
	h := t.hash(m)
	out := []byte(m)
	for i, c := range out {
		h = h*6364136223846793005 + 1442695040888963407 // Knuth, MMIX
		if c >= '1' && c <= '9' {
			out[i] = '1' + byte((uint64(c-'1')+h>>33)%9)
		}
	}
	return string(out)
}

// word is a word without a meaning, always the same for the same one.
func (r *renamer) word(of string) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	h := r.hash(of)
	var out []byte
	for range 4 {
		out = append(out, consonants[h%14], vowels[h/14%5])
		h /= 70
	}
	return string(out) + "x"
}

func (r *renamer) hash(s string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\x00%s", r.seed, s)
	return h.Sum64()
}

// likeCase writes a word as another one is written: small, capital first, or all
// in capitals.
func likeCase(as, w string) string {
	switch {
	case as == strings.ToUpper(as):
		return strings.ToUpper(w)
	case as[0] >= 'A' && as[0] <= 'Z':
		return strings.ToUpper(w[:1]) + w[1:]
	}
	return w
}
