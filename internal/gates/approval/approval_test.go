package approval

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/learn"
)

func key(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

func three(t *testing.T) *Log {
	t.Helper()
	l := &Log{}
	for _, d := range []Decision{
		{Action: Reject, Gate: "a", Scope: "global", Expr: `ctx.tool != "a"`, Reason: "too many questions"},
		{Action: Accept, Gate: "b", Scope: "global", Expr: `ctx.tool != "b"`, Made: "b", Reason: "never needed"},
		{Action: Accept, Gate: "a", Scope: "global", Expr: `ctx.tool != "a"`, Made: "a", Reason: "after the incident"},
	} {
		if err := l.Append(d, key(1)); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func TestLog(t *testing.T) {
	l := three(t)
	back, err := ReadLog(l.Bytes(), artifacts.Trust{Keys: []ed25519.PublicKey{key(1).Public().(ed25519.PublicKey)}})
	if err != nil || len(back.Decisions) != 3 || !bytes.Equal(back.Bytes(), l.Bytes()) {
		t.Fatalf("%d decisions, %v", len(back.Decisions), err)
	}
	if err := back.Append(Decision{Action: Reject, Scope: "node", Expr: "x", Reason: "r"}, key(2)); err != nil {
		t.Fatal(err)
	}
	again, err := ReadLog(back.Bytes(), artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	if !again.Rejected("node", "x") || again.Rejected("global", `ctx.tool != "a"`) || again.Rejected("global", "x") {
		t.Error("the last decision about a gate does not count")
	}
	if d := again.Of("b"); d == nil || d.Reason != "never needed" || d.KeyID() != artifacts.KeyID(key(1).Public().(ed25519.PublicKey)) {
		t.Errorf("decision %+v", d)
	}
	if err := back.Append(Decision{Action: Reject, Reason: " "}, key(1)); err == nil {
		t.Error("a decision without a reason was signed")
	}
}

// forged replaces words of a line's payload and leaves its signature.
func forged(t *testing.T, line, old, words string) string {
	t.Helper()
	var env envelope
	if err := json.Unmarshal([]byte(line), &env); err != nil {
		t.Fatal(err)
	}
	payload, err := base64.StdEncoding.DecodeString(env.Payload)
	if err != nil || !strings.Contains(string(payload), old) {
		t.Fatalf("payload %s, %v", payload, err)
	}
	env.Payload = base64.StdEncoding.EncodeToString([]byte(strings.Replace(string(payload), old, words, 1)))
	out, err := json.Marshal(env)
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + "\n"
}

// TestReadLogRefuses changes a good file in one place each.
func TestReadLogRefuses(t *testing.T) {
	good := string(three(t).Bytes())
	lines := strings.SplitAfter(good, "\n")
	other := &Log{}
	for range 3 {
		if err := other.Append(Decision{Action: Reject, Reason: "mine"}, key(2)); err != nil {
			t.Fatal(err)
		}
	}
	theirs := strings.SplitAfter(string(other.Bytes()), "\n")
	for _, c := range []struct {
		name, text string
		line       int
	}{
		{"a letter of a payload", lines[0] + lines[1][:80] + strings.Repeat("A", 10) + lines[1][90:] + lines[2], 2},
		{"another reason under the old signature", lines[0] + lines[1] + forged(t, lines[2], "after the incident", "after the accident"), 3},
		{"a line taken out", lines[0] + lines[2], 2},
		{"two lines in another order", lines[1] + lines[0] + lines[2], 1},
		{"a line of another file", lines[0] + theirs[1] + lines[2], 2},
		{"the first line gone", lines[1] + lines[2], 1},
		{"a line twice", lines[0] + lines[0], 2},
		{"blanks", strings.Replace(good, `","payload":`, `", "payload":`, 1), 1},
		{"a line cut off", good[:len(good)-5], 3},
		{"no JSON", lines[0] + "x\n", 2},
		{"an empty line", lines[0] + "\n" + lines[1], 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := ReadLog([]byte(c.text), artifacts.Trust{})
			var at *LineError
			if !errors.As(err, &at) || at.Line != c.line || l != nil {
				t.Errorf("error %v, want one at line %d", err, c.line)
			}
		})
	}
	if _, err := ReadLog([]byte(good), artifacts.Trust{Keys: []ed25519.PublicKey{key(2).Public().(ed25519.PublicKey)}}); err == nil {
		t.Error("decisions by a key that nobody trusts were read")
	}
}

func compiled(t *testing.T, expr string) (string, []byte) {
	t.Helper()
	canonical, program, err := lang.Compile(expr)
	if err != nil {
		t.Fatal(err)
	}
	return canonical, program
}

func TestBook(t *testing.T) {
	a, pa := compiled(t, `ctx.tool != "a"`)
	b, pb := compiled(t, `ctx.tool != "b"`)
	list := FromReview([]learn.Gate{
		{Proposal: learn.Proposal{Scope: "node", Macro: "m2", Expr: a, Message: "m"}, Program: pa, Why: "seen in one task only"},
		{Proposal: learn.Proposal{Scope: "node", Macro: "m1", Expr: a, Message: "m"}, Program: pa},
		{Proposal: learn.Proposal{Scope: "global", Expr: b, Message: "m"}, Program: pb},
		{Proposal: learn.Proposal{Scope: "global", Expr: `ctx.tool != "rare name"`}, Why: "names what few tasks share"},
	})
	if len(list) != 2 {
		t.Fatalf("proposals %+v", list)
	}
	list = slices.DeleteFunc(list, func(p Proposal) bool { return p.Scope == "global" })
	if strings.Join(list[0].Macros, " ") != "m1 m2" {
		t.Fatalf("proposals %+v", list)
	}
	book := &Book{Policy: "d", Proposals: list}
	data, err := book.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadBook(data)
	if err != nil || len(back.Proposals) != 1 || back.Policy != "d" {
		t.Fatalf("%+v, %v", back, err)
	}
	for name, bad := range map[string]string{
		"another expression": strings.Replace(string(data), `\"a\"`, `\"c\"`, 1),
		"another version":    strings.Replace(string(data), `proposals 1`, `proposals 2`, 1),
		"an unknown key":     strings.Replace(string(data), `"policy"`, `"polity"`, 1),
		"something behind":   string(data) + "{}",
		"no object":          "x",
	} {
		if _, err := ReadBook([]byte(bad)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}
