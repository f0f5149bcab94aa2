package gates

import "testing"

// TestFirstOfAChain: a first command of && and || that sets variables sets them whether it succeeds
// or not; what any other part of the list sets is sure of nothing behind it.
func TestFirstOfAChain(t *testing.T) {
	for line, want := range map[string]Disposition{
		`d=$(mktemp -d) && tar -xzf a.tgz -C "$d" 2>/dev/null; ls "$d"; rm -rf "$d"`: Approved,
		`d=$(mktemp -d) && cp -r src "$d" && diff -r src "$d/src"; rm -rf "$d"`:      Approved,
		`d=$(mktemp -d) || exit 1; cp -r src "$d"; rm -rf "$d"`:                      Approved,
		`f=$(mktemp) && npm test > "$f" 2>&1; tail -3 "$f"; rm -f "$f"`:              Approved,
		`d=$(mktemp -d) && ls && cp a "$d" || echo no; rm -rf "$d"`:                  Approved,
		`d=build && make; rm -rf "$d"`:                                               Approved,
		`ls && d=$(mktemp -d); rm -rf "$d"`:                                          ApprovedWithConstraints,
		`ls || d=build; rm -rf "$d"`:                                                 ApprovedWithConstraints,
		`d=build && d=$HOME/src; rm -rf "$d"`:                                        ApprovedWithConstraints,
		`d=build || d=$HOME/src; rm -rf "$d"`:                                        ApprovedWithConstraints,
		`d=build && ls && d=/home/me/src; rm -rf "$d"`:                               ApprovedWithConstraints,
		`d=build && read d < x; rm -rf "$d"`:                                         ApprovedWithConstraints,
		`d=build && { ls; d=/home/me/src; }; rm -rf "$d"`:                            ApprovedWithConstraints,
		`d=build ls && make; rm -rf "$d"`:                                            ApprovedWithConstraints,
		`(d=build) && make; rm -rf "$d"`:                                             ApprovedWithConstraints,
		`d=build > x && make; rm -rf "$d"`:                                           ApprovedWithConstraints,
		`d=/home/me/src; (d=build && ls); rm -rf "$d"`:                               ApprovedWithConstraints,
		`d=$(mktemp -d) && mv notes.txt "$d"; rm -rf "$d"`:                           ApprovedWithConstraints,
		`d=$(mktemp -d) && for d in build /home/me/src; do ls; done; rm -rf "$d"`:    ApprovedWithConstraints,
		`for x in 1 2; do rm -rf "$d"; d=/home/me/src && ls; done`:                   ApprovedWithConstraints,
		`f() { d=/home/me/src; }; d=build && f; rm -rf "$d"`:                         ApprovedWithConstraints,
	} {
		c := ShellContext(line, relaxedPlaces())
		if d := (&Guardrail{}).Decide(&c); d.Disposition != want {
			t.Errorf("%s: %v, want %v %+v", line, d.Disposition, want, d.Reasons)
		}
	}
}
