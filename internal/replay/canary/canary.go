// Package canary compares what a new policy decided in the shadow with what the
// policy in force decided on the same calls, from the decision logs of both. Add
// takes their lines, Compare joins them, and Verdict says whether the new policy
// may take over.
//
// Nothing is decided again: logs hold no call whole. Two lines are about one call
// if they have the same session, tool and arguments, in the same order within the
// session; what has no partner is counted and not compared.
//
// What belongs here: the lines of decision logs, their comparison, and the rule
// of promotion. What never does: writing such logs (cmd/gbt, cmd/gbt-hook),
// deciding on calls (package gates), and printing (cmd/gbt).
package canary

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// line is what is read of a line of a decision log: that of gbt check and gbt
// serve, or that of the hook.
type line struct {
	Policy      string          `json:"policy"`
	Host        string          `json:"host"`
	Session     json.RawMessage `json:"session"`
	Tool        string          `json:"tool"`
	Cwd         string          `json:"cwd"`
	Input       json.RawMessage `json:"input"`
	Disposition string          `json:"disposition"`
	Would       string          `json:"would"`
	Confirmed   bool            `json:"confirmed"`
	RepeatsLeft *int            `json:"repeats_left"`
	Observed    json.RawMessage `json:"observed"`
	Rules       []string        `json:"rules"`
	Gates       []string        `json:"gates"`
}

// Decision is one line that decides on a call.
type Decision struct {
	At          string // file and line
	Tool        string
	Disposition gates.Disposition // that of enforcement, even where it was only observed
	By          []string          // what stopped it: gates by their ids, and rules

	key string // what the call was
}

// Logs are the decisions of two policies. The zero value is empty.
type Logs struct {
	Shadow  string // digest of the new policy; all others are in force
	InForce []string

	sides [2]map[string][]Decision // of shadow and force, by session
	order []string                 // sessions, as they came
}

var errNoDecision = errors.New("no decision: a line of gbt check --log, gbt serve --log or a hook's log has policy and disposition")

// Add takes one line of a log. at says where it stands.
func (l *Logs) Add(at string, data []byte) error {
	var x line
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	if x.Observed != nil {
		return nil // a result, which nobody decides on
	}
	// What passed because somebody agreed says what that person thinks.
	if x.Confirmed || x.RepeatsLeft != nil {
		return nil
	}
	d, err := x.decision(at)
	if err != nil {
		return err
	}
	side := 0
	if x.Policy != l.Shadow {
		side = 1
		if !slices.Contains(l.InForce, x.Policy) {
			l.InForce = append(l.InForce, x.Policy)
		}
	}
	l.put(side, &x, d)
	return nil
}

func (x *line) decision(at string) (Decision, error) {
	text := x.Would
	if text == "" {
		text = x.Disposition
	}
	for v := gates.Rejected; v <= gates.Approved; v++ {
		if v.String() == text && x.Policy != "" {
			d := Decision{At: at, Tool: x.Tool, Disposition: v, By: slices.Clone(x.Gates), key: x.Tool + "\x00" + x.Cwd + "\x00" + string(x.Input)}
			for _, r := range x.Rules {
				if !strings.HasPrefix(r, "gate/") { // said by Gates, with whole ids
					d.By = append(d.By, r)
				}
			}
			return d, nil
		}
	}
	return Decision{}, errNoDecision
}

// put files a decision under its session. Calls without one share no history, so
// each stands alone: it is matched by what it is.
func (l *Logs) put(side int, x *line, d Decision) {
	if l.sides[0] == nil {
		l.sides = [2]map[string][]Decision{{}, {}}
	}
	session := "s" + x.Host + "\x00" + string(x.Session)
	if len(x.Session) == 0 {
		session = "c" + d.key
	}
	if l.sides[0][session] == nil && l.sides[1][session] == nil {
		l.order = append(l.order, session)
	}
	l.sides[side][session] = append(l.sides[side][session], d)
}

// Pair is one call as both decided on it.
type Pair struct{ Shadow, Force Decision }

// Comparison is what two logs have in common.
type Comparison struct {
	Pairs    int // calls that both decided on
	Agreed   int
	Stricter []Pair // newly stopped, or more strictly
	Looser   []Pair // newly let pass, or stopped less strictly
	Stopped  int    // pairs that are stopped in force
	Sessions int    // with a pair; a call without a session is one
	Hit      int    // sessions with a call in Stricter
	Alone    [2]int // decisions of the shadow, and of the policy in force, without a partner
}

// Compare joins the logs, session by session.
func (l *Logs) Compare() *Comparison {
	c := &Comparison{}
	for _, session := range l.order {
		before, hit := c.Pairs, len(c.Stricter)
		c.session(l.sides[0][session], l.sides[1][session])
		switch n := c.Pairs - before; {
		case session[0] == 'c': // equal calls, each on its own
			c.Sessions += n
			c.Hit += len(c.Stricter) - hit
		case n > 0:
			c.Sessions++
			if len(c.Stricter) > hit {
				c.Hit++
			}
		}
	}
	return c
}

// ahead is how far a partner is looked for: a call that was asked about in one log
// and made again stands there twice. Chosen freely; further away, an equal call is
// more likely another one.
const ahead = 32

// session joins the decisions of one session in their order.
func (c *Comparison) session(shadow, force []Decision) {
	next := 0
	for i := range shadow {
		at := -1
		for k := next; k < len(force) && k < next+ahead; k++ {
			if force[k].key == shadow[i].key {
				at = k
				break
			}
		}
		if at < 0 {
			c.Alone[0]++
			continue
		}
		c.Alone[1] += at - next
		next = at + 1
		c.pair(shadow[i], force[at])
	}
	c.Alone[1] += len(force) - next
}

func (c *Comparison) pair(s, f Decision) {
	c.Pairs++
	if f.Disposition < gates.Approved {
		c.Stopped++
	}
	switch {
	case s.Disposition == f.Disposition:
		c.Agreed++
	case s.Disposition < f.Disposition:
		c.Stricter = append(c.Stricter, Pair{s, f})
	default:
		c.Looser = append(c.Looser, Pair{s, f})
	}
}

// MinMatched is the least share of the shadow's decisions that must have a
// partner: with less, the logs are not of the same calls. Chosen freely.
const MinMatched = 0.95

// Verdict says whether the new policy may take over: it let nothing pass that is
// stopped in force, the logs are of the same calls, and with 95% certainty at most
// a share of the sessions has a call that it newly stops. bound is the upper bound
// of a rate after k of n (Clopper and Pearson, Biometrika 1934). Sessions are
// counted and not calls, because those of one session depend on each other. why
// has a sentence for each reason against.
func (c *Comparison) Verdict(most float64, bound func(k, n int) float64) (promote bool, why []string) {
	if n := len(c.Looser); n > 0 {
		why = append(why, fmt.Sprintf("%d calls that are stopped in force would pass, or be stopped less strictly", n))
	}
	if all := c.Pairs + c.Alone[0]; float64(c.Pairs) < MinMatched*float64(all) {
		why = append(why, fmt.Sprintf("only %d of the shadow's %d decisions are about calls in the other log: give the logs of the same sessions", c.Pairs, all))
	}
	if b := bound(c.Hit, c.Sessions); b > most {
		text := fmt.Sprintf("%d of %d sessions have a newly stopped call, which may be up to %.1f%% of all, and %.1f%% is the limit", c.Hit, c.Sessions, 100*b, 100*most)
		if need := Needed(c.Hit, most, bound); need > 0 {
			text += fmt.Sprintf(": %d sessions with no more of them would do", need)
		}
		why = append(why, text)
	}
	return len(why) == 0, why
}

// maxNeeded bounds what Needed looks for.
const maxNeeded = 1 << 20

// Needed is how many sessions it takes for a bound, with as many hits as there
// are; 0 if no number is known.
func Needed(hits int, most float64, bound func(k, n int) float64) int {
	lo, hi := hits, maxNeeded
	if bound(hits, hi) > most {
		return 0
	}
	for lo < hi {
		if mid := (lo + hi) / 2; bound(hits, mid) <= most {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
