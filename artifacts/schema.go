package artifacts

import (
	"sort"

	"github.com/gbt-policy/gbt/tree"
)

// A section is one value of the file: its tag and the schema that walks it.
type section struct {
	tag  string
	walk func(*codec, *document)
}

// sections returns the sections of format version 1 in file order. FORMAT.md
// has the same list; order matters where one section names another's entries.
func sections() []section {
	return []section{
		{"META", (*codec).meta},
		{"PARM", (*codec).params},
		{"ENCO", (*codec).encoder},
		{"PACK", (*codec).pack},
		{"RAIL", (*codec).rail},
		{"GATE", (*codec).gates},
		{"SCHM", (*codec).schemas},
		{"FAMS", (*codec).families},
		{"STAT", (*codec).states},
		{"EPIS", (*codec).episodes},
		{"NODE", (*codec).nodes},
		{"LEAF", (*codec).leaves},
		{"CLUS", (*codec).clusters},
		{"PROV", (*codec).provenance},
		{"CORP", (*codec).corpora},
		{"REPT", (*codec).report},
		{"TASK", (*codec).taskDigests},
	}
}

// document is a policy on its way to or from bytes, with the tables that the
// file has and the policy has not.
type document struct {
	p        *Policy
	episodes []string // sorted, each used by a span
	gateRefs int      // gates of the nodes that add some of their own, so far
}

// newDocument prepares p for encoding.
func newDocument(p *Policy) *document {
	return &document{p: p, episodes: spanEpisodes(p.Tree.Nodes)}
}

// spanEpisodes returns the episodes that spans point to, sorted, each once.
func spanEpisodes(nodes []tree.Node) []string {
	seen := make(map[string]bool)
	var out []string
	for i := range nodes {
		for _, s := range nodes[i].Spans {
			if !seen[s.Episode] {
				seen[s.Episode] = true
				out = append(out, s.Episode)
			}
		}
	}
	sort.Strings(out)
	return out
}

func (c *codec) name(p *string) { c.str(p, MaxName) }
func (c *codec) text(p *string) { c.str(p, MaxText) }

func (c *codec) count(p *uint64)     { integer(c, p, 0, MaxCount) }
func (c *codec) milli(p *tree.Milli) { integer(c, p, -1<<31, 1<<31-1) }

// index walks the index of one of n things.
func (c *codec) index(p *int32, n int) { integer(c, p, 0, int64(n)-1) }

func (c *codec) evidence(p *tree.Count) {
	for _, n := range []*uint32{&p.Tasks, &p.Success, &p.Failure} {
		integer(c, n, 0, 1<<32-1)
	}
}

// meta: [name, parent].
func (c *codec) meta(d *document) {
	c.tuple(2)
	c.name(&d.p.Name)
	c.hex(&d.p.Parent, 0, 32)
}

// params: [profile, the settings in the order of FORMAT.md, [4 posterior]].
func (c *codec) params(d *document) {
	p := &d.p.Params
	c.tuple(21)
	c.name(&p.Profile)
	for _, m := range []*tree.Milli{&p.ThetaHigh, &p.ThetaLow, &p.Ambiguous} {
		c.milli(m)
	}
	integer(c, &p.ExploreBudget, 0, 1<<31-1)
	for _, m := range []*tree.Milli{&p.RouteAbstain, &p.RouteKeep, &p.RouteTemperature} {
		c.milli(m)
	}
	integer(c, &p.RouteEvery, 0, 1<<31-1)
	for _, m := range []*tree.Milli{&p.RouteSwitch, &p.Alpha, &p.Beta, &p.EnvCos, &p.Lambda} {
		c.milli(m)
	}
	integer(c, &p.MaxRecovery, 0, 1<<31-1)
	integer(c, &p.MaxChildren, 0, 1<<31-1)
	for _, m := range []*tree.Milli{&p.AllowedShare, &p.Novelty, &p.ThetaSig, &p.ThetaMerge} {
		c.milli(m)
	}
	c.tuple(len(p.Posterior))
	for i := range p.Posterior {
		c.milli(&p.Posterior[i])
	}
}

// encoder: [id, digest, dimensions].
func (c *codec) encoder(d *document) {
	e := &d.p.Encoder
	c.tuple(3)
	c.name(&e.ID)
	c.hex(&e.Digest, 32)
	integer(c, &e.Dim, 1, MaxDim)
}

// pack: [steps, seconds, tokens], each at most that of requirement B2.
func (c *codec) pack(d *document) {
	p := &d.p.Pack
	c.tuple(3)
	integer(c, &p.steps, 1, maxPackSteps)
	integer(c, &p.wall, 1, maxPackWall)
	integer(c, &p.tokens, 1, maxPackTokens)
}

// gates: [[scope, disposition, expression, message, program, unsafe, benign,
// rejected], ...]. A gate's id is not stored: it follows from the others.
func (c *codec) gates(d *document) {
	list(c, &d.p.Gates, MaxGates, 10, (*codec).gate)
}

func (c *codec) gate(g *Gate) {
	c.tuple(8)
	c.name(&g.Scope)
	c.name(&g.Disposition)
	c.str(&g.Expr, MaxExpr)
	c.text(&g.Message)
	c.bin(&g.Program, MaxProgram)
	for _, n := range []*uint32{&g.Evidence.Unsafe, &g.Evidence.Benign, &g.Evidence.Rejected} {
		integer(c, n, 0, 1<<32-1)
	}
	if c.decoding() && c.err == nil {
		g.ID = GateID(g.Scope, g.Disposition, g.Expr)
	}
}

// schemas: [[name, bytes], ...].
func (c *codec) schemas(d *document) {
	list(c, &d.p.Schemas, MaxSchemas, 4, func(c *codec, s *Schema) {
		c.tuple(2)
		c.name(&s.Name)
		c.bin(&s.Data, MaxSchema)
	})
}

// provenance: [tool, config, [count, root, [[layout, count], ...]],
// [read, used, success, failure, unsafe, skipped, malformed]].
func (c *codec) provenance(d *document) {
	p := &d.p.Provenance
	c.tuple(4)
	c.name(&p.Tool)
	c.hex(&p.Config, 32)
	c.tuple(3)
	c.count(&p.Inputs.Count)
	c.hex(&p.Inputs.Root, 32)
	list(c, &p.Inputs.Layouts, MaxLayouts, 3, func(c *codec, t *Tally) {
		c.tuple(2)
		c.name(&t.Name)
		c.count(&t.Count)
	})
	e := &p.Episodes
	c.tuple(7)
	for _, n := range []*uint64{&e.Read, &e.Used, &e.Success, &e.Failure, &e.Unsafe, &e.Skipped, &e.Malformed} {
		c.count(n)
	}
}

// corpora: [[name, rows, root], ...].
func (c *codec) corpora(d *document) {
	list(c, &d.p.Corpora, MaxCorpora, 37, func(c *codec, r *CorpusRoot) {
		c.tuple(3)
		c.name(&r.Name)
		c.count(&r.Rows)
		c.hex(&r.Root, 32)
	})
}

// report: [[name, value], ...].
func (c *codec) report(d *document) {
	list(c, &d.p.Report, MaxMetrics, 3, func(c *codec, m *Metric) {
		c.tuple(2)
		c.name(&m.Name)
		c.milli(&m.Value)
	})
}

// taskDigests: [bytes, ...].
func (c *codec) taskDigests(d *document) {
	list(c, &d.p.TaskDigests, MaxTaskDigests, 2+taskDigestSize, func(c *codec, b *[]byte) {
		if c.bin(b, taskDigestSize); len(*b) != taskDigestSize {
			c.fail("task digest of %d bytes, want %d", len(*b), taskDigestSize)
		}
	})
}
