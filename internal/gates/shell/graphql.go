package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads queries that gh sends to a host's GraphQL interface. They are posted,
// but one whose only root is a repository of the workspace's own reads from it
// (GraphQL specification, section 2.3: an operation says whether it is a query).

// asksRepository says whether the run is such a query: written out, without mutations,
// with the repository named by literals or by other fields of the call. One that reads another
// repository is a question, too, that goes there.
func (r *toolRun) asksRepository() bool {
	m := r.m
	if !r.interfaced() || len(r.operands) != 1 || r.operands[0] != "graphql" || r.method != "" && r.method != "POST" {
		return false
	}
	fields, ok := plainFields(m.argv)
	if !ok {
		return false
	}
	for _, e := range m.effects[min(r.start, len(m.effects)):] {
		if e.Kind != effect.Network {
			return false
		}
	}
	if r.asksHost(fields["query"]) {
		return true
	}
	owner, name, ok := queriedRepository(fields["query"])
	owner, name = variable(owner, fields), variable(name, fields)
	switch {
	case !ok || m.p.HasRemote(owner+"/"+name):
	case owner != "" && name != "" && strings.Trim(owner+name, repositoryLetters) == "":
		r.sends, r.method, r.place, ok = false, "QUERY", effect.RepositoryOf(owner+"/"+name), false
	default:
		ok = false
	}
	return ok
}

// repositoryLetters are those of which the names of owners and repositories are made at GitHub.
const repositoryLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

// hostRoots are roots of a query that tell who asks and what the host allows (GitHub's
// GraphQL reference, Queries).
var hostRoots = [...]string{"rateLimit", "viewer"}

// asksHost says whether a query has one root of those, so that it reads from the host of the
// workspace's repository what concerns the user alone.
func (r *toolRun) asksHost(query string) bool {
	head, body, found := cutAt(strings.TrimSpace(query), "{")
	body, closed := cutSuffix(strings.TrimSpace(body), "}")
	body = strings.TrimSpace(body)
	root := body[:nameLen(body)]
	if head = strings.TrimSpace(head); !found || !closed || head != "" && head != "query" || strings.ContainsAny(body, "#\\\"") || !isAmong(hostRoots[:], root) {
		return false
	}
	return oneBlock(strings.TrimSpace(body[len(root):])) && r.m.homeHosted()
}

// plainFields are the fields of a call of gh api, each once and in words of their own; ok
// is false where a word is computed or an option may say something else.
func plainFields(argv []string) (fields map[string]string, ok bool) {
	fields = map[string]string{}
	for i := 1; i < len(argv); i++ {
		w := argv[i]
		if mark.Has(w) {
			return nil, false
		}
		switch w {
		case "--paginate", "--slurp":
			continue
		case "-q", "--jq":
			i++
			continue
		case "-f", "-F", "--field", "--raw-field":
		default:
			if strings.HasPrefix(w, "-") {
				return nil, false
			}
			continue
		}
		if i++; i == len(argv) || mark.Has(argv[i]) {
			return nil, false
		}
		key, value, _ := cutAt(argv[i], "=")
		if _, twice := fields[key]; twice || strings.HasPrefix(value, "@") {
			return nil, false
		}
		fields[key] = value
	}
	return fields, true
}

// variable is the value of an argument: a string, or what a field gives a variable.
func variable(arg string, fields map[string]string) string {
	if name, ok := cutPrefix(arg, "$"); ok {
		return fields[name]
	}
	if len(arg) > 2 && arg[0] == '"' && strings.Trim(arg[1:len(arg)-1], repositoryLetters) == "" {
		return arg[1 : len(arg)-1]
	}
	return ""
}

// queriedRepository returns the arguments of the one root of a query that reads a
// repository. What is unusual is not one: comments, other operations, directives on it,
// strings below it.
func queriedRepository(query string) (owner, name string, ok bool) {
	if strings.ContainsAny(query, "#\\") || strings.Contains(query, `"""`) || strings.Contains(query, "mutation") || strings.Contains(query, "subscription") || strings.Contains(query, "fragment") {
		return "", "", false
	}
	head, body, found := cutAt(strings.TrimSpace(query), "{")
	body, closed := cutSuffix(strings.TrimSpace(body), "}")
	word, _, _ := cutAt(strings.TrimSpace(head), "(")
	if f := strings.Fields(word); !found || !closed || head != "" && (len(f) == 0 || f[0] != "query") {
		return "", "", false
	}
	args, rest, found := cutAt(strings.TrimSpace(body), ")")
	if args, ok = cutPrefix(args, "repository("); !ok || !found || strings.Contains(rest, `"`) || !oneBlock(strings.TrimSpace(rest)) {
		return "", "", false
	}
	for _, arg := range strings.FieldsFunc(args, func(c rune) bool { return c == ',' || c == '\n' }) {
		key, value, _ := cutAt(arg, ":")
		switch strings.TrimSpace(key) {
		case "owner":
			owner = strings.TrimSpace(value)
		case "name":
			name = strings.TrimSpace(value)
		case "":
		default:
			return "", "", false
		}
	}
	return owner, name, owner != "" && name != ""
}

// oneBlock says whether a text without strings is one block in braces and nothing behind it.
func oneBlock(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth <= 0 {
			return i == len(s)-1 && i > 0
		}
	}
	return false
}
