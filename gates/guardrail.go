package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Disposition is the verdict on a call (requirement V2). A lower value is
// stricter, so the strictest of several is their minimum, and the zero value
// denies.
type Disposition uint8

// The dispositions.
const (
	Rejected                Disposition = iota
	RevisionRequired                    // say it another way: Reason.Message names how
	ApprovedWithConstraints             // needs a confirmation of exactly this call
	Approved
)

var dispositionNames = [...]string{"rejected", "revision_required", "approved_with_constraints", "approved"}

// String returns the disposition as `gbt check` prints it.
func (d Disposition) String() string { return nameOf(dispositionNames[:], int(d)) }

// Profile is a set of defaults of the guardrail. The zero value is the default
// profile, workspace.
type Profile uint8

// The profiles.
const (
	ProfileWorkspace Profile = iota // work inside the roots goes through, the rest asks
	ProfileStrict                   // only reads inside the roots go through
	ProfileObserve                  // nothing is stopped, everything is reported
	// ProfileApps is workspace, but what the tools of applications do to records
	// and where they fetch from or send to is left to those gates of the policy
	// that judge the call by where its arguments come from; see Checker.vouched.
	// Where there is none it asks like workspace.
	ProfileApps
)

var profileNames = [...]string{"workspace", "strict", "observe", "apps"}

// String returns the profile's name in lower case.
func (p Profile) String() string { return nameOf(profileNames[:], int(p)) }

// Egress allows network effects: to Domain (or the address that it is, in
// canonical form) and its subdomains, over one of
// Schemes and to one of Ports where those are given.
type Egress struct {
	Domain  string
	Schemes []string
	Ports   []uint16
	Send    bool // also lets data out, not only requests
}

// Guardrail is the global guardrail: the five rule families of requirement G2
// over a call's effects. The zero value is the workspace profile with the
// default lists. It is plain data and safe for concurrent use.
type Guardrail struct {
	Profile   Profile
	Protected []string // patterns of paths that must not be changed; see pattern.go
	Sensitive []string // patterns of paths that must not be read without consent
	Egress    []Egress
	Spawn     []string // programs that may run although no table knows them
	DenySpawn []string // programs that must not run
	// Imports are the modules that cells of code may bring in (narrow.go); empty for no
	// such list.
	Imports []string
}

// Reason is why a decision is not a plain approval.
type Reason struct {
	Rule        string // stable code: family/case
	Disposition Disposition
	Effect      int // index into Decision.Effects, -1 for the whole call
	Message     string
}

// Decision is the guardrail's verdict on a call. Its zero value denies.
type Decision struct {
	Disposition Disposition
	Would       Disposition // what another profile than observe would say
	Reasons     []Reason    // the worst first; see Object
	Effects     []Effect
	Tier        effect.Tier
	Answered    []Answered // questions of the guardrail that people had answered before
	Offer       string     // what a yes is remembered for, where the host remembers it; for people

	// Missing are the conditions of the policy that the call does not meet.
	Missing []*Condition

	// Gates are the ids of the gates that did not let the call pass, sorted.
	Gates []string
	// LibraryRejected says that a gate of another node is stricter than this
	// decision: the call was stopped once, elsewhere, and goes through here
	// (decision 1 of the requirements).
	LibraryRejected bool
}

// Decide judges a context. It reads nothing but the context and the guardrail. Not inlined, for the size of programs.
//
//go:noinline
func (g *Guardrail) Decide(c *Context) Decision {
	return g.decide(c, func() bool { return false })
}

// decide judges a context; vouched says whether the gates judge its records.
func (g *Guardrail) decide(c *Context, vouched func() bool) Decision {
	d := Decision{Disposition: Approved, Effects: c.Effects, Tier: c.tier()}
	for i := range c.Effects {
		rule, disp := g.judge(c, &c.Effects[i])
		if disp == ApprovedWithConstraints && g.throwsAway(c, i) {
			continue
		}
		if disp < Approved && !(g.defersToGates(c, &c.Effects[i], disp) && vouched()) {
			d.add(rule, disp, i, &c.Effects[i])
		}
	}
	g.flows(c, &d)
	g.narrow(c, &d)
	d.Would = d.Disposition
	if g.Profile == ProfileObserve {
		d.Observe(c)
	}
	return d
}

// throwsAway says whether an effect that would ask loses nothing but what the session made. What
// people protected by name stays so.
func (g *Guardrail) throwsAway(c *Context, i int) bool {
	return c.throwAway != nil && g.Profile != ProfileStrict && !matchesAny(g.Protected, c, &c.Effects[i], true) && c.throwAway(c, i)
}

// Observe lets a call pass whatever was decided, as a profile or a session does
// that only watches. One that could be read in two ways stays stopped: what was
// watched need not be what runs.
func (d *Decision) Observe(c *Context) {
	if c.Doubt == "" {
		d.Disposition = Approved
	}
}

// defersToGates says whether an effect that would ask is left to the gates: one of an
// application's tool on its records, files that it keeps by id among them, or on
// the network. Effects on files of the machine, programs and settings never are.
func (g *Guardrail) defersToGates(c *Context, e *Effect, disp Disposition) bool {
	if g.Profile != ProfileApps || disp != ApprovedWithConstraints || e.Sensitive || e.Protected {
		return false
	}
	switch c.Class.Family {
	case call.FamilyWeb, call.FamilyMessage, call.FamilyPayment, call.FamilyCalendar, call.FamilyMemory, call.FamilyApp, call.FamilyDevice:
	case call.FamilyFile: // an application's own files are records; deleting one still asks
		if e.Zone != effect.ZoneRecord || e.Kind == effect.Delete {
			return false
		}
	default:
		return false
	}
	switch e.Kind {
	case effect.Write, effect.Delete:
		return e.Zone == effect.ZoneRecord
	case effect.Network:
		return e.Op == effect.OpFetch || e.Op == effect.OpSend
	}
	return false
}

func (d *Decision) add(rule string, disp Disposition, i int, e *Effect) {
	if disp < d.Disposition {
		d.Disposition = disp
	}
	r := Reason{Rule: rule, Disposition: disp, Effect: i}
	if d.place(&r) < maxReasons { // no sentence for what nobody reads
		r.Message = message(rule, e)
		d.Object(r)
	}
}

// lists says whether the guardrail's own list allows a connection.
func (g *Guardrail) lists(e *Effect) bool {
	return slices.ContainsFunc(g.Egress, func(r Egress) bool { return r.allows(e) })
}

func (r *Egress) allows(e *Effect) bool {
	if e.Op != effect.OpFetch && !r.Send || e.Op == effect.OpListen || e.Net.Domain == "" && e.Net.IP == "" {
		return false
	}
	if e.Net.IP == "" && e.Net.Domain != r.Domain && !strings.HasSuffix(e.Net.Domain, "."+r.Domain) || e.Net.IP != "" && e.Net.IP != r.Domain {
		return false
	}
	return (len(r.Schemes) == 0 || slices.Contains(r.Schemes, e.Net.Scheme)) && (len(r.Ports) == 0 || slices.Contains(r.Ports, e.Net.Port))
}

// flows judges what effects do together: a sensitive read and a send in one
// call or one episode, a connection wired to a shell.
func (g *Guardrail) flows(c *Context, d *Decision) {
	sensitive, send, inter := false, -1, false
	unvetted, loaded := c.nobodyVetted()
	spelled := c.spellsHarm()
	var plain []int // runs of scripts that were judged as they are run
	c.changedMeaning(d)
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case (e.Kind == effect.Read || e.Kind == effect.Network) && e.Sensitive:
			sensitive = true
		case e.Kind == effect.Network && e.Op != effect.OpProbe && (!loopback(e.Net) || c.LeadsTo(e) != ""):
			send = i
		case e.Kind == effect.Spawn && e.Op == effect.OpInteractive:
			inter = true
		case e.Kind == effect.Spawn && (runsUnvetted(unvetted, e) || spelled && (e.Op == effect.OpRunFile || e.Op == effect.OpBuild)):
			if !spelled && c.plainAsRun != nil && c.plainAsRun(g, c, i, unvetted) {
				plain = append(plain, i)
				continue
			}
			d.add("flow/unvetted", ApprovedWithConstraints, i, e)
		}
	}
	if c.inline != nil {
		c.inline.earlier(c, g, d)
	}
	c.loadsUnvetted(d, loaded, plain)
	c.harmfulTasks(d)
	c.worksWithin(d, unvetted)
	switch {
	case send < 0:
		if c.Flow.SensitiveRead && c.searchesWeb() {
			d.add("flow/secret", ApprovedWithConstraints, min(len(c.Effects), 1)-1, &Effect{Kind: effect.Network, Op: effect.OpSend, Resource: "words for a search of the web"})
		}
		return
	case sensitive: // in one call the one may go into the other
		d.add("flow/exfiltration", Rejected, send, &c.Effects[send])
	case c.Flow.SensitiveRead:
		c.tainted(d)
	}
	if inter && c.Effects[send].Op != effect.OpFetch && !c.Effects[send].Named {
		d.add("flow/remote-shell", Rejected, send, &c.Effects[send])
	}
}

// ParseProfile returns the profile with a name.
func ParseProfile(name string) (Profile, bool) {
	for i, n := range profileNames {
		if n == name {
			return Profile(i), true
		}
	}
	return ProfileWorkspace, false
}

//go:noinline
func nameOf(names []string, i int) string {
	if i >= len(names) {
		return "invalid"
	}
	return names[i]
}
