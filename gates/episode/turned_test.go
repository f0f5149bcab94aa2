package episode

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestTurned: a yes to a push holds no longer once the session changed where that goes. It
// holds again once people agreed to a push that says so, and not because one was asked
// about, declined, or may have run.
func TestTurned(t *testing.T) {
	const change, again = "git config core.sshCommand 'sh -c x'", "git push -q origin x"
	for name, tt := range map[string]struct {
		then func(m *Memory)
		want gates.Disposition
	}{
		"nothing changed": {func(*Memory) {}, gates.Approved},
		"changed":         {func(m *Memory) { does(t, m, change) }, gates.ApprovedWithConstraints},
		"may be changing": {func(m *Memory) { m.MayRun("c", "", read(t, m.Before, change), 9) }, gates.ApprovedWithConstraints},
		"was declined": {func(m *Memory) {
			m.MayRun("c", "", read(t, m.Before, change), 9)
			m.Report("c", true)
		}, gates.Approved},
		"agreed to since": {func(m *Memory) { does(t, m, change); does(t, m, pushes) }, gates.Approved},
		"asked about since": {func(m *Memory) {
			does(t, m, change)
			c, d := judged(t, m, pushes)
			m.Let("p", "", c, &d, 9)
		}, gates.ApprovedWithConstraints},
		"declined since": {func(m *Memory) {
			does(t, m, change)
			c, d := judged(t, m, pushes)
			m.Let("p", "", c, &d, 9)
			m.Report("p", true)
		}, gates.ApprovedWithConstraints},
		"nobody told": {func(m *Memory) {
			does(t, m, change)
			m.Assumed(read(t, m.Before, pushes), 9)
		}, gates.ApprovedWithConstraints},
		"stored and read": {func(m *Memory) {
			does(t, m, change)
			if err := m.UnmarshalBinary(encoded(t, m)); err != nil {
				t.Fatal(err)
			}
		}, gates.ApprovedWithConstraints},
	} {
		var m Memory
		does(t, &m, pushes)
		tt.then(&m)
		if _, d := judged(t, &m, again); d.Disposition != tt.want {
			t.Errorf("%s: %v %+v, want %v", name, d.Disposition, d.Reasons, tt.want)
		}
	}
}
