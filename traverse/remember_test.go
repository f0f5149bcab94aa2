package traverse

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestConfirmSession: a yes for the session holds for what was offered, as long as the
// session is the same one, and nothing of it is left over for the one call.
func TestConfirmSession(t *testing.T) {
	bash := func(line string) Call { return Call{Tool: "Bash", Args: []byte(`{"command":"` + line + `"}`)} }
	s := bounded().open(t).Start(Task{ID: "c", Text: farTask}, env)
	line := bash("curl https://a.example/x")
	a := s.Check(line)
	if a.Offer != "fetch from a.example" || s.ConfirmSession("nonsense") || !s.ConfirmSession(a.Token) || s.ConfirmSession(a.Token) {
		t.Fatalf("%s, offered %q", a.Disposition, a.Offer)
	}
	if first, again := s.Check(line), s.Check(line); !first.Allowed() || first.Consent != a.Token || !again.Allowed() || again.Consent != "" {
		t.Errorf("%s by %q, then %s by %q", first.Disposition, first.Consent, again.Disposition, again.Consent)
	}
	for _, other := range []string{"curl https://b.example/x", "curl -d x=1 https://a.example/x"} {
		if a := s.Check(bash(other)); a.Disposition != gates.ApprovedWithConstraints {
			t.Errorf("%s: %s", other, a.Disposition)
		}
	}
	secret := bash("cat ~/.ssh/id_rsa")
	a = s.Check(secret)
	if a.Offer != "" || s.ConfirmSession(a.Token) || !s.Confirm(a.Token) || s.Check(secret).Disposition != gates.Approved {
		t.Fatalf("reading a secret: %s, offered %q", a.Disposition, a.Offer)
	}
	s.Observe(secret, Result{Output: []byte("x")})
	if a := s.Check(line); a.Disposition != gates.ApprovedWithConstraints || a.Offer != "" {
		t.Errorf("after a secret was read: %s, offered %q", a.Disposition, a.Offer)
	}
}
