package scope

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// Scope is what one answer is remembered for: a name for each thing that was asked
// about, sorted.
type Scope []string

// String is the scope in one line.
func (s Scope) String() string { return strings.Join(s, "; ") }

// Bounds on what is offered as a choice of its own: a yes is for what its user can read.
const (
	maxOffered = 2000
	maxShown   = 500
)

// Offer is the most specific scope of a question, with its words, where a person can be
// offered it as a choice: nil where it is asked each time, or where that is too long.
func Offer(c *gates.Context, d *gates.Decision) (s Scope, words string) {
	all := Of(c, d)
	if len(all) == 0 || len(all[0].String()) > maxOffered {
		return nil, ""
	}
	if words = all[0].Shown(); len(words) > maxShown {
		return nil, ""
	}
	return all[0], words
}

// Shown is the scope in words for the person who is asked. Those of a command stand in
// the question itself, and may hold what nobody should read twice.
func (s Scope) Shown() string {
	out := slices.Clone(s)
	for i, name := range out {
		if strings.HasPrefix(name, exactlyRun) {
			_, server, there := strings.Cut(name, inShell)
			switch out[i] = "exactly this command"; {
			case there:
				out[i] += inShell + server
			case strings.Contains(name, Unchanged):
				out[i] += " until the session changes a file"
			}
			continue
		}
		if file, _, ok := strings.Cut(name, Unchanged); ok {
			out[i] = file + " until it changes"
		}
		if run, _, ok := strings.Cut(name, OfSame); ok {
			out[i] = run + " as long as the files have the same names"
		}
		if file, _, ok := strings.Cut(name, Exactly); ok {
			out[i] = file + " in exactly this way again"
		}
		if file, _, ok := strings.Cut(name, Holding); ok {
			out[i] = file + " executable with the code that it has then"
		}
		if file, _, ok := strings.Cut(name, Saying); ok {
			out[i] = file + " in its comments and in plain words that it prints"
		}
	}
	return slices.Compact(out).String()
}

// Of returns the scopes that an answer to a decision's questions can be remembered for,
// the most specific one first and wider ones after it; nil where it is asked each time.
func Of(c *gates.Context, d *gates.Decision) []Scope {
	things := Things(c, d)
	longest := 0
	for _, names := range things {
		longest = max(longest, len(names))
	}
	var out []Scope
	for level := range longest {
		var s Scope
		for _, names := range things {
			s = append(s, names[min(level, len(names)-1)])
		}
		slices.Sort(s)
		s = slices.Compact(s)
		if len(out) == 0 || !slices.Equal(out[len(out)-1], s) {
			out = append(out, s)
		}
	}
	return out
}

// Things are the names that would settle each thing which a decision asks about, the
// most specific one first; nil where one of them has to be asked about each time.
func Things(c *gates.Context, d *gates.Decision) [][]string {
	if len(d.Gates) > 0 || c.Flow.SensitiveRead || !d.Answerable() {
		return nil
	}
	var out [][]string
	for i := range d.Reasons {
		list := things(c, d, &d.Reasons[i])
		if len(list) == 0 || slices.ContainsFunc(list, func(names []string) bool { return len(names) == 0 }) {
			return nil
		}
		out = append(out, list...)
	}
	return out
}

// things are the names of all that one reason asks about: of what may happen on another
// machine they say so, and are none of what is asked about here.
func things(c *gates.Context, d *gates.Decision, r *gates.Reason) [][]string {
	list := thingsHere(c, d, r)
	if c.Elsewhere == "" {
		return list
	}
	for i, names := range list {
		list[i] = there(c, names)
	}
	return list
}

// thingsHere are the names of what one reason asks about on this machine.
func thingsHere(c *gates.Context, d *gates.Decision, r *gates.Reason) [][]string {
	if r.Rule == "protected/write" && r.Effect >= 0 && r.Effect < len(d.Effects) {
		e := &d.Effects[r.Effect]
		by, ok := doer(c, r.Effect)
		if !ok || e.Sensitive || e.Deferred {
			return nil
		}
		return changes(c, e, by)
	}
	if n := c.Naming(); n != nil {
		if list := n.Things(c, d, r); list != nil {
			return list
		}
	}
	return [][]string{thing(c, d, r)}
}

// thing names what one reason asks about.
func thing(c *gates.Context, d *gates.Decision, r *gates.Reason) []string {
	if r.Effect < 0 || r.Effect >= len(d.Effects) {
		return nil
	}
	e := &d.Effects[r.Effect]
	switch r.Rule {
	case "opaque/tool":
		return calls(c, d)
	case "record/write": // Naming tells one record from another
		if c.Class.Family == call.FamilyMessage || c.Class.Family == call.FamilyPayment {
			return nil
		}
		return calls(c, d)
	case "spawn/elsewhere":
		return line(c)
	}
	by, ok := doer(c, r.Effect)
	if !ok || e.Sensitive || e.Kind == effect.Opaque || e.Deferred {
		return nil
	}
	return setting(beside(c, thingByRule(c, e, by, r.Rule), e, by), e, by)
}

// beside adds to the names of a connection what its run does beside it.
func beside(c *gates.Context, list []string, e *gates.Effect, by *effect.Run) (out []string) {
	if by == nil || e.Kind != effect.Network || len(list) == 0 || account(e) {
		return list
	}
	more, ok := "", len(by.Telling) == 0
	if n := c.Naming(); n != nil {
		more, ok = n.Beside(c, e, by)
	}
	if !ok {
		return nil
	}
	for _, name := range list {
		out = append(out, name+more)
	}
	return out
}

// thingByRule is thing by the rule that asks.
func thingByRule(c *gates.Context, e *gates.Effect, by *effect.Run, rule string) []string {
	switch rule {
	case "egress/fetch", "egress/send", "egress/listen":
		return network(c, e, by)
	case "workspace/read", "workspace/list":
		return reads(c, e, by)
	case "workspace/write":
		return writes(c, e, by)
	case "workspace/delete":
		return deletes(c, e)
	case "workspace/move", "workspace/overwrite":
		return oneFile(e)
	case "flow/unvetted":
		return unchanged(c, e, by)
	case "spawn/unknown", "spawn/file", "spawn/escape", "spawn/setting":
		return runs(c, e, by)
	}
	return nil
}

// doer is the run that an effect belongs to, nil for a tool's own call. ok is false
// where what it does hangs on more than the call says, or is more than a plain run of
// it: words that only the run time knows, variables that are set for it and are not all
// constants, a word that overrides a refusal or takes something away.
func doer(c *gates.Context, i int) (run *effect.Run, ok bool) {
	list := c.Runs()
	for k := range list {
		r := &list[k]
		if !slices.Contains(r.Effects, i) {
			continue
		}
		if r.Given && len(r.Sets) == 0 || Computed(r.Words) || overridesBeyond(r, &c.Effects[i]) || run != nil && !slices.Equal(run.Sets, r.Sets) {
			return nil, false
		}
		run = r
	}
	return run, run != nil || c.Command == ""
}

// setting adds to names what the call sets for a run: a yes with VERBOSE=1 is for that value,
// and says nothing of a run without it. What a program that is run may load by a value that is
// a path, nobody has seen.
func setting(list []string, e *gates.Effect, by *effect.Run) []string {
	if by == nil || !by.Given || len(list) == 0 {
		return list
	}
	for _, s := range by.Sets {
		_, value, _ := strings.Cut(s, "=")
		if class.Sent(value)&class.Credentials != 0 || e.Kind == effect.Spawn && !plainValue(value) {
			return nil
		}
	}
	out, with := slices.Clone(list), " with "+Quote(by.Sets)
	for k, name := range out {
		if file, digest, ok := strings.Cut(name, Unchanged); ok {
			out[k] = file + with + Unchanged + digest
			continue
		}
		out[k] = name + with
	}
	return out
}

// plainValue says whether a value is a number, a version or one word, and no path.
func plainValue(s string) bool {
	if strings.Trim(s, "0123456789.") == "" {
		return true
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}
