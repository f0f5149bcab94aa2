package scope_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/gates/programs"
)

// alike are the roles of options, and what flags add, with which a run is none other than it is without
// them: amounts, patterns, names of columns, texts that stand in the line, where its output goes, and
// names of places that the name of the consent has.
var alike = strings.Fields("nothing amount mode expression jq yq sql sqlite duckdb mongo server-command format template variable name versioned process resource task environment plain " +
	"stats lists searches selects directory dry-run key account method sends scalars repository remote updates sql-template chain sbt request lookup shown filtergraph " +
	"informs informs-alone names-only lists-files expression-given recursive in-place removes-operands interactive runs assignment")

// written are the roles of files that are written: over one that is there, or that something loads.
var written = strings.Fields("creates changes edits plain-output parameters labelled-output write-out")

// sample is a value that a role takes for something else than its program does without it.
func sample(role string) string {
	switch role {
	case "header", "data", "upload":
		return "@src/a.py"
	case "data-urlencoded":
		return "x@src/a.py"
	case "form-field":
		return "x=@src/a.py"
	case "cookies", "reads", "document", "input", "plain-file", "expression-file", "removes", "removes-tree":
		return "src/a.py"
	case "fetches", "sends-to", "connects", "probes", "listens-at", "addresses":
		return "https://b.example/y"
	case "setting", "cmake-setting", "connection":
		return "ProxyCommand=id"
	case "write-out":
		return "%output{package.json}"
	case "parameters":
		return "trx;LogFileName=package.json"
	case "labelled-output":
		return "a=b:package.json"
	case "psql":
		return `'\i src/a.py'`
	}
	if slices.Contains(written, role) {
		return "package.json"
	}
	return "./tool"
}

// words are the operands of a line that takes some roles.
func words(roles []string, last string) string {
	var out []string
	for _, role := range append(slices.Clone(roles), last) {
		switch role {
		case "":
		case "fetches", "sends-to", "document", "remote", "repository", "request":
			out = append(out, "https://a.example/o/r.git")
		case "connects", "probes", "lookup", "database":
			out = append(out, "a.example")
		case "reads", "upload", "plain-file":
			out = append(out, "src/a.py")
		case "creates", "changes":
			out = append(out, "out/new")
		default:
			out = append(out, "word")
		}
	}
	return strings.Join(out, " ")
}

// TestAYesHasTheOptionsThatTell: whichever option of the table says that it runs, loads, reads, sends,
// reaches or writes something is asked about where the yes was to the same call without it.
func TestAYesHasTheOptionsThatTell(t *testing.T) {
	list, err := programs.Read(os.DirFS("../../internal/gates/shell/programs"))
	if err != nil {
		t.Fatal(err)
	}
	st := place
	st.Exists = func(file string) bool { return file == "/home/u/p/src/a.py" || file == "/home/u/p/package.json" }
	calls, options := 0, 0
	for _, p := range list {
		var try func(path string, e *programs.Entry)
		try = func(path string, e *programs.Entry) {
			for i := range e.Subs {
				try(path+" "+e.Subs[i].Name, &e.Subs[i].Entry)
			}
			rests := []string{"", words(e.Operands, e.Last), "https://a.example/o/r.git x", "-h a.example", "src/ a.example:x"}
			for _, x := range p.Examples {
				if rest, ok := strings.CutPrefix(x.Run, path+" "); ok {
					rests = append(rests, rest)
				}
			}
			slices.Sort(rests)
			for _, rest := range slices.Compact(rests) {
				c, d := judged(t, path+" "+rest, st)
				yes := scope.Of(c, d)
				if len(yes) == 0 || d.Disposition == gates.Approved || !slices.ContainsFunc(d.Reasons, func(r gates.Reason) bool { return strings.HasPrefix(r.Rule, "egress/") }) {
					continue
				}
				calls++
				for _, o := range e.Options {
					if o.Word == "" || slices.Contains(alike, o.Word) || (o.Word == "reads" || o.Word == "upload") && e.Does == "sends" || strings.HasPrefix(rest, o.Names[0]+" ") {
						continue
					}
					if last := c.Runs(); slices.Contains(written, o.Word) && last[len(last)-1].Words[0] != p.Name {
						continue // a file of what starts the run is asked about by itself
					}
					option := o.Names[0]
					switch {
					case o.Kind == '!':
					case o.Kind == '?' && !strings.HasPrefix(option, "--"):
						option += sample(o.Word)
					case o.Kind == '?':
						option += "=" + sample(o.Word)
					case o.Kind == '&':
						option += " x " + sample(o.Word)
					default:
						option += " " + sample(o.Word)
					}
					options++
					if line := path + " " + option + " " + rest; coveredBy(t, yes[0], line, st) {
						t.Errorf("%q is covered by the yes to %q: %q", line, path+" "+rest, yes[0])
					}
				}
			}
		}
		try(p.Name, &p.Entry)
	}
	if calls < 100 || options < 500 {
		t.Errorf("only %d calls with %d options", calls, options)
	}
	t.Log(calls, options)
}

// coveredBy says whether a yes to a scope lets a call pass that asks.
func coveredBy(t *testing.T, yes scope.Scope, line string, st gates.State) bool {
	c, d := judged(t, line, st)
	if d.Disposition == gates.Approved {
		return false
	}
	things := scope.Things(c, d)
	return len(things) > 0 && !slices.ContainsFunc(things, func(names []string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(yes, n) })
	})
}
