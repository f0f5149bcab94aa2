package learn

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// TestAuditEnds: an audit that is no longer wanted ends before the next recorded
// context, or the next few made ones.
func TestAuditEnds(t *testing.T) {
	rows := recordedContexts(t)
	var asked atomic.Int64
	opt := AuditOptions{Mutations: chunk, Seed: 1, Workers: 2, Ended: func() error { asked.Add(1); return nil }}
	if _, err := RunAudit(auditSide(t), auditSide(t), rows, opt); err != nil {
		t.Fatal(err)
	}
	all := asked.Load()
	if all < int64(len(rows)+2) {
		t.Fatalf("asked %d times in %d contexts and one lot of made ones", all, len(rows))
	}
	for _, last := range []int64{0, int64(len(rows)), all - 1} {
		asked.Store(0)
		opt.Ended = func() error {
			if asked.Add(1) > last {
				return context.Canceled
			}
			return nil
		}
		if _, err := RunAudit(auditSide(t), auditSide(t), rows, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("ended after %d of %d: %v", last, all, err)
		}
	}
}
