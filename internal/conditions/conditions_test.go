package conditions

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
)

// did is a call of a log: tool, arguments, and what came back.
type did struct{ tool, args, result, err string }

func lookup(id string) did {
	return did{"get_order", `{"order_id":"` + id + `"}`, `{"order_id":"` + id + `","item":"lamp"}`, ""}
}

func cancel(id string) did { return did{"cancel_order", `{"order_id":"` + id + `"}`, "ok", ""} }

func other(n int) did {
	return did{"list_products", fmt.Sprintf(`{"page":%d}`, n), "lamp, table", ""}
}

func runOf(task int, success bool, said string, calls ...did) Run {
	e := &corpora.Episode{Format: "x", Task: said}
	for _, c := range calls {
		e.Steps = append(e.Steps, corpora.Step{Tool: c.tool, Args: c.args, Result: c.result, Error: c.err, Status: corpora.StatusExecuted})
	}
	return NewRun(e, uint64(task+1), success, &gates.Checker{})
}

func order(i int) string { return fmt.Sprintf("order-%d", 100+i) }

// many are successful runs of n tasks.
func many(n int, calls func(i int) []did) (out []Run) {
	for i := range n {
		out = append(out, runOf(i, true, "", calls(i)...))
	}
	return out
}

func find(list []gates.Condition, act, arg string, end bool) *gates.Condition {
	for i := range list {
		if c := &list[i]; c.Act == act && c.Arg == arg && c.End == end {
			return c
		}
	}
	return nil
}

const cancelling, looking = "cancel:order", "read:order"

func TestMineFindsWhatAlwaysCameBefore(t *testing.T) {
	runs := many(40, func(i int) []did { return []did{other(i), lookup(order(i)), cancel(order(i))} })
	c := find(Mine(runs, Defaults()), cancelling, "order_id", false)
	if c == nil || c.Advice || c.Tasks != 40 || c.Held != 40 {
		t.Fatalf("mined %+v", Mine(runs, Defaults()))
	}
	if !slices.Contains(c.Needs, gates.Need{How: gates.HowSame, Act: looking, Arg: "order_id"}) {
		t.Errorf("needs %v", c.Needs)
	}
	if c.Chance > 200 {
		t.Errorf("by chance %d thousandths: other tasks look up other orders", c.Chance)
	}
	for _, c := range Mine(runs, Defaults()) {
		if c.Arg == "" && c.Act == cancelling && !c.End {
			t.Errorf("%v says less than the one about the order", &c)
		}
	}
}

func TestMineLeavesOut(t *testing.T) {
	for _, c := range []struct {
		name  string
		tasks int
		calls func(i int) []did
	}{
		{"what came before by the order of calls that says nothing", 40, func(i int) []did {
			if i%2 == 0 {
				return []did{lookup(order(7)), cancel(order(i))}
			}
			return []did{cancel(order(i)), lookup(order(7))}
		}},
		{"a call that failed", 40, func(i int) []did {
			l := lookup(order(i))
			l.err = "no such order"
			return []did{l, cancel(order(i))}
		}},
		{"what stands everywhere", 40, func(i int) []did {
			var out []did
			for k := range 20 {
				if out = append(out, other(k)); k == 10 {
					out = append(out, cancel(order(i)))
				}
			}
			return out
		}},
		{"too few tasks", 4, func(i int) []did { return []did{lookup(order(i)), cancel(order(i))} }},
	} {
		if got := Mine(many(c.tasks, c.calls), Defaults()); find(got, cancelling, "order_id", false) != nil || find(got, cancelling, "", false) != nil {
			t.Errorf("%s: mined %v", c.name, got)
		}
	}
}

func TestMineNeedsTasks(t *testing.T) {
	runs := many(8, func(i int) []did { return []did{lookup(order(i)), cancel(order(i))} })
	o := Defaults()
	if find(Mine(runs, o), cancelling, "order_id", false) == nil {
		t.Error("8 tasks are enough for advice")
	}
	if o.Least = 9; len(Mine(runs, o)) > 0 {
		t.Error("8 tasks are not 9")
	}
}

func TestMineRepeatedRunsAreOneTask(t *testing.T) {
	var runs []Run
	for range 40 {
		runs = append(runs, runOf(1, true, "", lookup(order(1)), cancel(order(1))))
	}
	if got := Mine(runs, Defaults()); len(got) > 0 {
		t.Errorf("forty runs of one task: %v", got)
	}
}

func TestMineStrength(t *testing.T) {
	mine := func(broken, tasks int) *gates.Condition {
		runs := many(tasks, func(i int) []did {
			if i < broken {
				return []did{other(i), cancel(order(i))}
			}
			return []did{lookup(order(i)), cancel(order(i))}
		})
		return find(Mine(runs, Defaults()), cancelling, "order_id", false)
	}
	if c := mine(0, 29); c == nil || c.Advice {
		t.Errorf("29 of 29 have a rate above 0.9: %+v", c)
	}
	if c := mine(0, 20); c == nil || !c.Advice {
		t.Errorf("20 of 20 may have one of 0.87: %+v", c)
	}
	if c := mine(8, 40); c == nil || !c.Advice {
		t.Errorf("32 of 40: %+v", c)
	}
	if c := mine(25, 40); c != nil {
		t.Errorf("15 of 40: %+v", c)
	}
}

func TestMineTakesTheUsersWords(t *testing.T) {
	var runs []Run
	for i := range 40 {
		if i%4 == 0 {
			runs = append(runs, runOf(i, true, "Cancel "+order(i)+" please.", cancel(order(i))))
			continue
		}
		runs = append(runs, runOf(i, true, "", lookup(order(i)), cancel(order(i))))
	}
	c := find(Mine(runs, Defaults()), cancelling, "order_id", false)
	if c == nil || c.Held != 40 || !slices.Contains(c.Needs, gates.Need{How: gates.HowSaid}) {
		t.Fatalf("mined %+v", c)
	}
}

func TestMinePoolsCallsThatShareAnArgument(t *testing.T) {
	runs := many(40, func(i int) []did {
		last := cancel(order(i))
		if i%2 == 0 {
			last.tool = "update_address"
		}
		return []did{lookup(order(i)), last}
	})
	c := find(Mine(runs, Defaults()), "", "order_id", false)
	if c == nil || c.Tasks != 40 || c.Advice {
		t.Errorf("mined %+v", Mine(runs, Defaults()))
	}
}

func TestMineEnds(t *testing.T) {
	notify := func(i int) did { return did{"send_email", `{"to":"x@y.z"}`, "sent", ""} }
	var runs []Run
	for i := range 40 {
		runs = append(runs, runOf(i, true, "", cancel(order(i)), notify(i)))
		runs = append(runs, runOf(100+i, false, "", notify(i), cancel(order(i))))
	}
	c := find(Mine(runs, Defaults()), cancelling, "", true)
	if c == nil || c.Advice || c.Held != 40 || c.Chance != 0 {
		t.Fatalf("mined %+v", Mine(runs, Defaults()))
	}
	if j := Judge([]gates.Condition{*c}, &runs[1]); j.Ends != 1 || j.Back != 0 || !j.Named() {
		t.Errorf("a run that told before it did: %+v", j)
	}
	if j := Judge([]gates.Condition{*c}, &runs[0]); j.Named() {
		t.Errorf("a run as it should be: %+v", j)
	}
	runs = nil
	for i := range 40 { // what failed runs did as well says nothing
		runs = append(runs, runOf(i, true, "", cancel(order(i)), notify(i)), runOf(100+i, false, "", cancel(order(i)), notify(i)))
	}
	if c := find(Mine(runs, Defaults()), cancelling, "", true); c != nil {
		t.Errorf("mined %+v", c)
	}
}

func TestJudge(t *testing.T) {
	list := []gates.Condition{{Act: cancelling, Arg: "order_id", Needs: []gates.Need{{How: gates.HowShown, Act: looking}}}}
	for _, c := range []struct {
		name  string
		calls []did
		back  int
	}{
		{"looked up", []did{lookup("order-1"), cancel("order-1")}, 0},
		{"not looked up", []did{cancel("order-1")}, 1},
		{"another one", []did{lookup("order-2"), cancel("order-1")}, 1},
		{"afterwards", []did{cancel("order-1"), lookup("order-1")}, 1},
		{"one of two", []did{lookup("order-1"), cancel("order-1"), cancel("order-2")}, 1},
		{"in vain", []did{{"get_order", `{"order_id":"order-1"}`, "order-1", "no such order"}, cancel("order-1")}, 1},
	} {
		r := runOf(1, true, "", c.calls...)
		if j := Judge(list, &r); j.Back != c.back {
			t.Errorf("%s: %+v", c.name, j)
		}
	}
}

func TestAtLeastIsExact(t *testing.T) {
	chance := []float64{0.5, 0.1, 0.9, 0.3}
	for k := range 5 {
		want := 0.0
		for set := range 1 << len(chance) {
			p, n := 1.0, 0
			for i, c := range chance {
				if set>>i&1 == 1 {
					p, n = p*c, n+1
				} else {
					p *= 1 - c
				}
			}
			if n >= k {
				want += p
			}
		}
		if got := atLeast(k, chance); math.Abs(got-want) > 1e-12 {
			t.Errorf("at least %d: %v, want %v", k, got, want)
		}
	}
}

func TestBaselines(t *testing.T) {
	runs := many(10, func(i int) []did { return []did{other(i), lookup(order(i)), cancel(order(i))} })
	p := Predecessors(runs, 5)
	if len(p) != 1 || p[0].Act != cancelling || p[0].Needs[0] != (gates.Need{How: gates.HowDid, Act: looking}) {
		t.Errorf("predecessors %+v", p)
	}
	seen := map[string]bool{}
	for seed := range 20 {
		d := Drawn(p, runs, uint64(seed))
		if again := Drawn(p, runs, uint64(seed)); again[0].Needs[0] != d[0].Needs[0] {
			t.Fatal("the same seed draws otherwise")
		}
		seen[d[0].Needs[0].Act] = true
	}
	if len(seen) < 3 || p[0].Needs[0].Act != looking {
		t.Errorf("drew %v, left %v", seen, p)
	}
}
