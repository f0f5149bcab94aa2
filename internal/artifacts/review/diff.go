package review

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
)

// Changes is what a new policy has that an old one has not, and the other way
// round. What comes with something added or removed is not listed again: the
// states of an added family, the edges of an added state, the subtree of an
// added node.
type Changes struct {
	Same bool    `json:"same"`
	Old  Version `json:"old"`
	New  Version `json:"new"`

	// Weakens is what a policy that only tightens never does: a gate gone or
	// changed, a bound raised, evidence lost, an older sequence number. The worst
	// comes first.
	Weakens []Finding `json:"weakens"`

	// Refitted are limits of what is claimed that are a little lower because they
	// were fitted to other tasks: no weakness, and said all the same.
	Refitted []string `json:"refitted"`

	Settings []Change   `json:"settings"` // settings, encoder, pack, guardrail
	Gates    GateDiff   `json:"gates"`
	Families FamilyDiff `json:"families"`
	States   StateDiff  `json:"states"`
	Edges    EdgeDiff   `json:"edges"`
	Nodes    NodeDiff   `json:"nodes"`
	Leaves   LeafDiff   `json:"leaves"`
	Sealed   []Change   `json:"sealed"` // schemas, corpora, provenance, measurements
	Stats    Stats      `json:"statistics"`

	// Cards are there if somebody made them (Show).
	Cards *Cards `json:"cards,omitempty"`

	// Evidence is there if recorded calls were looked at.
	Evidence *Evidence `json:"evidence,omitempty"`
}

// Version names one of the two policies.
type Version struct {
	Name      string `json:"name"`
	Sequence  uint64 `json:"sequence"`
	Digest    string `json:"digest"`
	Signed    bool   `json:"signed"`
	Signature string `json:"signature"`
}

// Change is a named value that differs. The side that lacks it is empty.
type Change struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// The parts of Changes.
type (
	GateDiff struct {
		Added   []Gate `json:"added"`
		Removed []Gate `json:"removed"`
		// Replaced are those of Removed that another gate provably stands for.
		Replaced []Replaced `json:"replaced"`
		Changed  []Change   `json:"changed"` // message, program or evidence of a gate
		// Costlier are gates that stop more benign tasks on record than before.
		Costlier []string `json:"costlier"`
	}
	FamilyDiff struct {
		Added   []FamilyRef `json:"added"`
		Removed []FamilyRef `json:"removed"`
		Changed []Change    `json:"changed"`
	}
	FamilyRef struct {
		Name   string `json:"name"`
		States int    `json:"states"`
		Nodes  int    `json:"nodes"`
		Leaves int    `json:"leaves"`
		Tasks  int    `json:"tasks"` // whose episodes came through
	}
	StateDiff struct {
		Added   []StateRef    `json:"added"`
		Removed []StateRef    `json:"removed"`
		Changed []StateChange `json:"changed"`
	}
	StateRef struct {
		Family string `json:"family"`
		ID     string `json:"id"`
		Key    string `json:"key"`
		Desc   string `json:"description"`
	}
	StateChange struct {
		StateRef
		Fields []Change `json:"fields"`
	}
	EdgeDiff struct {
		Added   []EdgeRef `json:"added"`
		Removed []EdgeRef `json:"removed"`
	}
	EdgeRef struct {
		Family string `json:"family"`
		From   string `json:"from"` // keys of states
		To     string `json:"to"`
	}
	NodeDiff struct {
		Added   []NodeRef  `json:"added"`
		Removed []NodeRef  `json:"removed"`
		Gated   []NodeGate `json:"gated"` // nodes that ask other gates than before

		Changed []Change `json:"changed,omitempty"`
	}
	NodeRef struct {
		Family string   `json:"family"`
		ID     string   `json:"id"`
		Path   []string `json:"path"`   // keys of the states from the family's start
		Below  int      `json:"below"`  // nodes of its subtree beside it
		Leaves int      `json:"leaves"` // leaves of its subtree, itself included
		Tasks  int      `json:"tasks"`  // whose episodes came through
	}
	NodeGate struct {
		NodeRef
		Added   []string `json:"added"`
		Removed []string `json:"removed"`
	}
	LeafDiff struct {
		Added   []NodeRef `json:"added"`
		Removed []NodeRef `json:"removed"`
		Tasks   int       `json:"tasks"` // leaves whose task texts differ
	}
	// Stats counts things on both sides whose numbers differ.
	Stats struct {
		States       int `json:"states"`
		Edges        int `json:"edges"`
		Nodes        int `json:"nodes"`
		Leaves       int `json:"leaves"`
		Clusters     int `json:"clusters"`
		Vectors      int `json:"vectors"` // families, states and leaves with other vectors
		TasksAdded   int `json:"tasks_added"`
		TasksRemoved int `json:"tasks_removed"`

		Families []FamilyCount `json:"families"` // on both sides, with other counts
	}
)

// side is one of the two policies with what is needed to find things in it.
type side struct {
	p      *artifacts.Policy
	ids    *names
	leaves map[int32]int // index of a node's leaf
}

func newSide(p *artifacts.Policy) *side {
	return &side{p: p, ids: nameAll(p), leaves: leavesByNode(&p.Tree)}
}

// Compare says how to get from old to new.
func Compare(old, new *artifacts.Policy, oldInfo, newInfo *artifacts.Info) *Changes {
	return compare(old, new, oldInfo, newInfo, tableOf(artifacts.Fields()))
}

func compare(old, new *artifacts.Policy, oldInfo, newInfo *artifacts.Info, t table) *Changes {
	c := &comparison{a: newSide(old), b: newSide(new), table: t, standing: map[string][]artifacts.Gate{}, more: moreLogs(old, new), out: &Changes{
		Same: oldInfo.Digest == newInfo.Digest, Old: version(old, oldInfo), New: version(new, newInfo),
	}}
	c.lineage(oldInfo, newInfo)
	if !c.out.Same {
		c.head()
		c.settings()
		c.guardrail()
		c.gates()
		c.families()
		c.states()
		c.nodes()
		c.evaded()
		c.served()
		c.sealed()
		c.clusters()
	}
	sortFindings(c.out.Weakens)
	c.out.noNulls()
	return c.out
}

func version(p *artifacts.Policy, info *artifacts.Info) Version {
	return Version{Name: p.Name, Sequence: p.Sequence, Digest: info.Digest, Signed: info.Signed, Signature: info.Status()}
}

type comparison struct {
	a, b  *side // old and new
	table table
	out   *Changes

	standing map[string][]artifacts.Gate // see stands
	more     bool                        // see moreLogs
}

// weakens adds a finding of a rule.
func (c *comparison) weakens(rule, format string, args ...any) {
	c.out.weakens(rule, format, args...)
}

// rows adds findings of one row of the format's table.
func (c *comparison) rows(r *row, messages []string) {
	for _, m := range messages {
		c.weakens(ruleOf(r), "%s", m)
	}
}

// pair is something that is on both sides.
type pair[T any] struct{ old, new T }

// split sorts two lists into what is new, what is gone and what is on both
// sides, each in the order of its list. Keys are unique within a list.
func split[T any, K comparable](old, new []T, key func(T) K) (added, removed []T, both []pair[T]) {
	was := make(map[K]T, len(old))
	for _, x := range old {
		was[key(x)] = x
	}
	is := make(map[K]bool, len(new))
	for _, x := range new {
		k := key(x)
		is[k] = true
		if o, ok := was[k]; ok {
			both = append(both, pair[T]{o, x})
		} else {
			added = append(added, x)
		}
	}
	for _, x := range old {
		if !is[key(x)] {
			removed = append(removed, x)
		}
	}
	return added, removed, both
}

// changed appends a Change if the values differ.
func changed(to *[]Change, name string, old, new any) {
	if o, n := fmt.Sprint(old), fmt.Sprint(new); o != n {
		*to = append(*to, Change{Name: name, Old: o, New: n})
	}
}

// head compares what names the policies.
func (c *comparison) head() {
	a, b := c.a.p, c.b.p
	changed(&c.out.Settings, "name", quote(a.Name), quote(b.Name))
	changed(&c.out.Settings, "sequence", a.Sequence, b.Sequence)
	changed(&c.out.Settings, "parent", a.Parent, b.Parent)
	changed(&c.out.Settings, "log_text", a.LogText, b.LogText)
	if b.HoldsLogText() && !a.HoldsLogText() {
		c.weakens("text/kept", "texts of the logs stand in the new policy: tasks, sentences of agents, names of groups")
	}
	c.one(c.table.more["META"], "", &c.out.Settings)
}

func (c *comparison) settings() {
	a, b := c.a.p, c.b.p
	out := &c.out.Settings
	rows := c.table.all["PARM"]
	for k := range rows {
		r := &rows[k]
		changes, alarms := differ(r, r.Name, r.At(a, 0), r.At(b, 0))
		if old, new := settings(rows[k:k+1], a), settings(rows[k:k+1], b); len(old) > 0 {
			changes = nil // by their own names
			for i := range old {
				changed(&changes, old[i].Name, old[i].Value, new[i].Value)
			}
		}
		*out = append(*out, changes...)
		c.rows(r, alarms)
	}
	if a.Params.Profile != tree.ReferenceProfile && b.Params.Profile == tree.ReferenceProfile {
		c.weakens("gate/words", "the profile is %s: the gates of nodes are asked where the agent's words put the run", tree.ReferenceProfile)
	}
	c.claims()
	c.one(c.table.all["ENCO"], "encoder.", out)
	c.one(c.table.all["PACK"], "pack.", out)
}

func (c *comparison) gates() {
	added, removed, both := split(c.a.p.Gates, c.b.p.Gates, func(g artifacts.Gate) string { return g.ID })
	c.out.Gates.Added, c.out.Gates.Removed = gatesOf(added), gatesOf(removed)
	for i := range removed {
		c.gone(&removed[i], added)
	}
	for i := range added {
		c.compiled(&added[i])
	}
	for _, g := range both {
		old, new := gateOf(&g.old), gateOf(&g.new)
		out := &c.out.Gates.Changed
		changed(out, old.ID+".message", quote(old.Message), quote(new.Message))
		changed(out, old.ID+".program", old.Program, new.Program)
		changed(out, old.ID+".evidence", g.old.Evidence, g.new.Evidence)
		if !slices.Equal(g.old.Program, g.new.Program) {
			c.weakens("gate/program", "a gate has another program for the same text: it may not stop what it says, %s (%s)", calls(g.old.Expr), short(old.ID))
		}
		c.gateEvidence(&g.old, &g.new)
	}
	c.moreGates(&c.out.Gates.Changed)
}

// compiled finds a new gate whose program is not what its text compiles to: all that
// is proved of it is proved of the text.
func (c *comparison) compiled(g *artifacts.Gate) {
	if _, program, err := lang.Compile(g.Expr); err != nil || !slices.Equal(program, g.Program) {
		c.weakens("gate/program", "a new gate does not do what its text says, to stop %s (%s): gbt verify", calls(g.Expr), short(g.ID))
	}
}

// schemaPrefix stands in front of a tool's name where its schema differs.
const schemaPrefix = "schema "

// sealed compares what stands around the tree.
func (c *comparison) sealed() {
	a, b, out := c.a.p, c.b.p, &c.out.Sealed
	named(out, schemaPrefix, a.Schemas, b.Schemas, func(s artifacts.Schema) (string, string) { return s.Name, schemaText(s.Data) })
	c.schemas()
	c.moreSchemas(out)
	named(out, "corpus ", a.Corpora, b.Corpora, func(r artifacts.CorpusRoot) (string, string) {
		return r.Name, strconv.FormatUint(r.Rows, 10) + " rows " + r.Root
	})
	named(out, "measured ", a.Report, b.Report, func(m artifacts.Metric) (string, string) { return m.Name, milli(m.Value).String() })
	old, new := &a.Provenance, &b.Provenance
	changed(out, "tool", quote(old.Tool), quote(new.Tool))
	changed(out, "config", old.Config, new.Config)
	changed(out, "inputs", fmt.Sprint(old.Inputs.Count, " ", old.Inputs.Root), fmt.Sprint(new.Inputs.Count, " ", new.Inputs.Root))
	named(out, "layout ", old.Inputs.Layouts, new.Inputs.Layouts, func(t artifacts.Tally) (string, string) {
		return t.Name, strconv.FormatUint(t.Count, 10)
	})
	ov, nv := reflect.ValueOf(Episodes(old.Episodes)), reflect.ValueOf(Episodes(new.Episodes))
	for i := range ov.NumField() {
		changed(out, "episodes."+ov.Type().Field(i).Tag.Get("json"), ov.Field(i).Uint(), nv.Field(i).Uint())
	}
	c.one(c.table.more["PROV"], "", out)
	c.moreByKey("CORP", "corpus ", out, len(a.Corpora), len(b.Corpora), func(p *artifacts.Policy, i int) string { return p.Corpora[i].Name })
	c.corpora()
	c.tasks()
}

// named compares two lists of named values, by name.
func named[T any](out *[]Change, prefix string, old, new []T, of func(T) (name, value string)) {
	added, removed, both := split(old, new, func(x T) string { n, _ := of(x); return n })
	var list []Change
	for _, x := range removed {
		n, v := of(x)
		list = append(list, Change{Name: prefix + quote(n), Old: v})
	}
	for _, x := range added {
		n, v := of(x)
		list = append(list, Change{Name: prefix + quote(n), New: v})
	}
	for _, x := range both {
		n, o := of(x.old)
		_, v := of(x.new)
		changed(&list, prefix+quote(n), o, v)
	}
	slices.SortStableFunc(list, func(x, y Change) int { return cmp.Compare(x.Name, y.Name) })
	*out = append(*out, list...)
}

func (c *comparison) clusters() {
	_, _, both := split(c.a.p.Tree.Clusters, c.b.p.Tree.Clusters, func(k tree.Cluster) string { return k.Key })
	for _, k := range both {
		if k.old != k.new {
			c.out.Stats.Clusters++
		}
	}
	c.out.Stats.Clusters += len(c.a.p.Tree.Clusters) + len(c.b.p.Tree.Clusters) - 2*len(both)
}

// noNulls gives JSON empty lists where there is nothing.
func (c *Changes) noNulls() {
	c.Weakens, c.Refitted, c.Settings, c.Sealed = list(c.Weakens), list(c.Refitted), list(c.Settings), list(c.Sealed)
	c.Gates = GateDiff{list(c.Gates.Added), list(c.Gates.Removed), list(c.Gates.Replaced), list(c.Gates.Changed), list(c.Gates.Costlier)}
	c.Families = FamilyDiff{list(c.Families.Added), list(c.Families.Removed), list(c.Families.Changed)}
	c.States = StateDiff{list(c.States.Added), list(c.States.Removed), list(c.States.Changed)}
	c.Edges = EdgeDiff{list(c.Edges.Added), list(c.Edges.Removed)}
	c.Nodes.Added, c.Nodes.Removed, c.Nodes.Gated = list(c.Nodes.Added), list(c.Nodes.Removed), list(c.Nodes.Gated)
	c.Stats.Families = list(c.Stats.Families)
	c.Leaves.Added, c.Leaves.Removed = list(c.Leaves.Added), list(c.Leaves.Removed)
}
