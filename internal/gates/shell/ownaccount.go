package shell

import (
	"iter"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about programs that read from the account which the user's own settings are
// logged in to: what a cloud says about what it runs, and nothing that is kept in it.

// accountVars are variables that choose among the user's own accounts, projects and places, or
// how an answer looks; none names an address, a file or a program (awscli 1.44,
// topics/config-vars.rst; gcloud topic configurations; POSIX.1-2024, Environment Variables).
// Sorted.
var accountVars = []string{
	"AWS_DEFAULT_OUTPUT", "AWS_DEFAULT_REGION", "AWS_MAX_ATTEMPTS", "AWS_PROFILE", "AWS_REGION", "AWS_RETRY_MODE",
	"CI", "CLOUDSDK_ACTIVE_CONFIG_NAME", "CLOUDSDK_COMPUTE_REGION", "CLOUDSDK_COMPUTE_ZONE", "CLOUDSDK_CORE_DISABLE_PROMPTS", "CLOUDSDK_CORE_PROJECT",
	"COLUMNS", "LANG", "LC_ALL", "LINES", "NO_COLOR", "TZ",
}

// fromAccount marks a read of the user's own account as one that goes where the program's
// settings say, if the line names no other place, sends no file along, and gives the program
// no variable but those that are known to steer nothing else.
func (r *toolRun) fromAccount() {
	m := r.m
	made := m.effects[min(r.start, len(m.effects)):]
	own := func(e *effect.Effect) bool {
		return e.Kind == effect.Network && e.Op == effect.OpFetch && e.Resource == m.prog+m.ofAccount()
	}
	if r.t.has(traitOwnColumns) && !plainColumns(m.argv) || r.t.has(traitNamedFields) && !plainQuery(m.argv) {
		for i := range made {
			made[i].Sensitive = made[i].Sensitive || own(&made[i])
		}
		return
	}
	switch z, _, _ := m.p.Where(m.cwd); {
	case z != effect.ZoneWorkspace && z != effect.ZoneCaller, m.paths, !m.givesOnly(accountVars):
		return
	case slices.ContainsFunc(r.operands, func(w string) bool { return w != "" && mark.Has(w[:1]) }):
		return
	}
	if slices.ContainsFunc(made, func(e effect.Effect) bool { return e.Kind == effect.Read }) {
		return
	}
	for i := range made {
		if e := &made[i]; own(e) {
			e.Named = true
			e.Payload.Known = e.Payload.Known || !slices.ContainsFunc(m.argv, mark.Has)
		}
	}
}

// cloudPrefixes begin the names of variables of clouds' programs.
var cloudPrefixes = [...]string{"ARM_", "AZURE_", "BOTO", "CF_", "CLOUDFLARE_", "CLOUDSDK_", "DIGITALOCEAN_", "FLY_", "GITLAB_", "GOOGLE_", "HEROKU_", "HTTP", "NETLIFY_", "RAILWAY_", "REQUESTS_", "VERCEL_", "WRANGLER_"}

// givesOnly says whether all variables that the line may give to the program have names of the
// list, which is sorted, or are set to nothing. One that is only assigned reaches a program
// where the surroundings of the line export it already; of those what may steer asks.
func (m *machine) givesOnly(list []string) bool {
	if m.unseen || slices.ContainsFunc(m.exports, func(n string) bool { return !searchNames(list, n) && !containsName(m.vars, n) }) {
		return false
	}
	for i := range m.vars {
		b := &m.vars[i]
		given := m.assigning || m.isExported(b.name) || steersRuns(b.name) || slices.ContainsFunc(cloudPrefixes[:], func(p string) bool { return strings.HasPrefix(b.name, p) })
		if given && !searchNames(list, b.name) && (b.value != "" || b.array) {
			return false
		}
	}
	return true
}

// setsSeen says whether the names of all variables that a line sets stand in it: nothing on
// it sets one by a name that is computed or stands elsewhere.
func setsSeen(f *syntax.File) bool {
	ok := true
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			ok = ok && (len(n.Args) == 0 || setsNothing(n.Args))
		case *syntax.DeclClause:
			ok = ok && !slices.ContainsFunc(n.Args, func(a *syntax.Assign) bool { return a.Name == nil && (a.Value == nil || a.Value.Lit() == "") })
		case *syntax.ParamExp:
			ok = ok && (n.Exp == nil || n.Exp.Op != syntax.AssignUnset && n.Exp.Op != syntax.AssignUnsetOrNull)
		}
		return ok
	})
	return ok
}

// setsNothing says whether a command sets no variables by itself: it is no command of the
// shell that may, or set with its options for errors alone (POSIX.1-2024, set).
func setsNothing(args []*syntax.Word) bool {
	name := args[0].Lit()
	if name == "wait" { // its -p sets one (bash(1), wait)
		return !slices.ContainsFunc(args[1:], func(a *syntax.Word) bool { return a.Lit() == "" || a.Lit()[0] == '-' })
	}
	if name == "command" && len(args) == 3 && (args[1].Lit() == "-v" || args[1].Lit() == "-V") { // it only says what a name is
		return true
	}
	if name != "set" {
		return name != "" && !searchNames(setters[:], name)
	}
	for _, a := range args[1:] {
		if w := a.Lit(); w != "pipefail" && (len(w) < 2 || w[0] != '-' && w[0] != '+' || strings.Trim(w[1:], "euxo") != "") {
			return false
		}
	}
	return true
}

// shownFields are fields of what Google's cloud runs that say which and where it is and how it
// fares (gcloud topic projections; the fields of Compute Engine's and Cloud Run's resources).
// Sorted.
const shownFields = "cpuPlatform createTime creationTimestamp currentMasterVersion currentNodeCount displayName endpoint id kind labels location machineType metadata.name metadata.namespace name " +
	"networkInterfaces region selfLink state status updateTime uri url zone"

// plainColumns says whether gcloud's words choose no format, or one of plain fields
// (gcloud topic formats): NAME[ATTRIBUTES](FIELD, FIELD.transform():label=TEXT).
func plainColumns(words []string) bool {
	for value := range valuesOf(words, "--format") {
		_, list, open := cutAt(value, "(")
		list, closed := cutSuffix(list, ")")
		if !open || !closed || mark.Has(value) {
			return false
		}
		for _, f := range strings.Split(list, ",") {
			if !plainField(strings.TrimSpace(f)) {
				return false
			}
		}
	}
	return true
}

// valuesOf are the values that words give an option: behind it in its word, or the next word.
func valuesOf(words []string, option string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, w := range words {
			value, ok := cutPrefix(w, option)
			if ok && value == "" && i+1 < len(words) {
				value = words[i+1]
			}
			if ok && !yield(trimPrefix(value, "=")) {
				return
			}
		}
	}
}

// plainField says whether a field is one of shownFields or lies in one of them.
func plainField(f string) bool {
	f, _, _ = cutAt(f, ":")
	if strings.Trim(f, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.[]()") != "" {
		return false
	}
	for at := f; at != ""; {
		if mark.Among(shownFields, strings.TrimRight(at, "[]0123456789")) {
			return true
		}
		cut := lastByte(at, '.')
		at = at[:max(0, cut)]
	}
	return false
}

// plainEnds end the names of fields of AWS's answers that say which thing it is and how it
// fares (the models of its services).
var plainEnds = [...]string{"Arn", "arn", "ARN", "Name", "name", "Id", "id", "Status", "status", "State", "state", "Runtime", "Version", "version", "Timeout", "MemorySize", "LastModified", "Count", "Port", "Protocol", "Family", "Handler", "CodeSize", "PackageType", "DomainName", "At"}

// plainParents are members of answers that hold all of one thing; below other members that are
// no lists may stand what somebody chose the names of.
var plainParents = [...]string{"Configuration", "Distribution", "execution", "taskDefinition"}

// plainQuery says whether words have a format of plain fields, or aws's a query that names only such fields: paths of names
// and of all or one of a list, alone, in a list or under names of the line's own (JMESPath,
// Grammar). Functions, filters and texts are none.
func plainQuery(words []string) bool {
	n := 0
	for value := range valuesOf(words, "--query") {
		if n++; !plainPaths(value) {
			return false
		}
	}
	for range valuesOf(words, "--format") {
		n++
	}
	return n > 0 && plainColumns(words)
}

// plainPaths says whether each path of a query leads through lists to a plain field.
func plainPaths(query string) bool {
	n := 0
	for i := 0; i < len(query); {
		k := nameLen(query[i:])
		if k == 0 {
			if firstByte("[]{}.,: ", query[i]) < 0 {
				return false
			}
			i++
			continue
		}
		name := query[i : i+k]
		rest, list := pastIndex(query[i+k:])
		i = len(query) - len(rest)
		switch {
		case strings.HasPrefix(rest, ":"):
		case strings.HasPrefix(rest, "."):
			if !list && !isAmong(plainParents[:], name) {
				return false
			}
		case !slices.ContainsFunc(plainEnds[:], func(e string) bool { return strings.HasSuffix(name, e) }):
			return false
		default:
			n++
		}
	}
	return n > 0
}

// pastIndex leaves out what chooses of a list: [], [*], [0] and [0:2].
func pastIndex(s string) (rest string, list bool) {
	for strings.HasPrefix(s, "[") {
		inner, after, closed := cutAt(s[1:], "]")
		if !closed || strings.Trim(inner, "0123456789*:-") != "" {
			break
		}
		s, list = after, true
	}
	return s, list
}
