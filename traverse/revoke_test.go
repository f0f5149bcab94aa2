package traverse

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestConsentUnderAnotherPolicy: what the user agreed to under one policy lets nothing
// pass under the next, and holds under the same one.
func TestConsentUnderAnotherPolicy(t *testing.T) {
	w := bounded()
	p := w.open(t)
	call := Call{Tool: "launch_something", Args: []byte(`{"what":"x"}`)}
	s := p.Start(Task{ID: "c", Text: farTask}, env)
	a := s.Check(call)
	if a.Disposition != gates.ApprovedWithConstraints || !s.Confirm(a.Token) {
		t.Fatalf("%s, token %q", a.Disposition, a.Token)
	}
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	same, err := p.Resume(data)
	if err != nil {
		t.Fatal(err)
	}
	if a := same.Check(call); !a.Allowed() {
		t.Errorf("under the same policy: %s", a.Disposition)
	}
	now, err := New(w.policy(t), Options{Digest: "another"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = now.Resume(data); err != nil {
		t.Fatal(err)
	}
	if s.Confirm(a.Token) {
		t.Error("a question of the old policy was answered")
	}
	if again := s.Check(call); again.Disposition != gates.ApprovedWithConstraints || again.Token == a.Token {
		t.Errorf("under another policy: %s, the same token %v", again.Disposition, again.Token == a.Token)
	}
}
