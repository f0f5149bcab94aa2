package gates

// Run is what a run has used so far, as the governance pack reads it.
type Run struct {
	Steps, WallSeconds, Tokens int64
	Begins                     bool // a new step would begin: the bound on steps counts there
}

// Pack is the governance pack of a policy: rules over what a run has used, in the same
// engine as the rules over calls, with reasons of their own (requirement B2). Its zero
// value stops every run at once.
type Pack struct{ Steps, WallSeconds, Tokens int64 }

// PackPrefix begins the rules of the governance pack, and no others (B3).
const PackPrefix = "pack:budget-"

// packRules are the rules of a pack, in the order in which they are asked.
var packRules = [...]struct {
	axis   string
	breaks func(p *Pack, r *Run) bool
}{
	{"steps", func(p *Pack, r *Run) bool { return r.Begins && r.Steps >= p.Steps }},
	{"wall-seconds", func(p *Pack, r *Run) bool { return r.WallSeconds > p.WallSeconds }},
	{"tokens", func(p *Pack, r *Run) bool { return r.Tokens > p.Tokens }},
}

// Halts says which rule of the governance pack ends a run: its reason, as a rejection.
// No context, task or option of a session is asked.
func (k *Checker) Halts(r Run) (Reason, bool) {
	for _, rule := range packRules {
		if rule.breaks(&k.Pack, &r) {
			return Reason{Rule: PackPrefix + rule.axis, Disposition: Rejected, Effect: -1, Message: "The run is over: " + PackPrefix + rule.axis + "."}, true
		}
	}
	return Reason{}, false
}
