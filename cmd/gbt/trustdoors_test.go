package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/artifacts/trust"
)

// gbtRun is one run of the program.
func gbtRun(t *testing.T, stdin string, args ...string) (code int, said string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(append([]string{"gbt"}, args...), strings.NewReader(stdin), &stdout, &stderr)
	return code, stdout.String() + stderr.String()
}

// mustRun is one that ends well.
func mustRun(t *testing.T, args ...string) {
	t.Helper()
	if code, said := gbtRun(t, "", args...); code != 0 {
		t.Fatalf("gbt %q: exit status %d, %s", args, code, said)
	}
}

// trustDoors are the commands that open a policy, without the flags of trust.
// The hook is asked in its own package.
func trustDoors(dir string) map[string][]string {
	p := filepath.Join(dir, "p.gbt")
	out, logs := filepath.Join(dir, "out"), filepath.Join(dir, "logs")
	return map[string][]string{
		"verify": {"verify", p}, "serve": {"serve", "--stdio", "--policy", p}, "mcp": {"mcp", "--policy", p},
		"run":   {"run", "--task", "x", "--policy", p, "--model", "http://127.0.0.1:1/v1"},
		"check": {"check", "--shell", "--policy", p},
		"show":  {"show", p}, "view": {"view", p, "-o", out}, "export": {"export", p, "--to", "json"}, "search": {"search", p, "word"},
		"diff": {"diff", p, p}, "gates list": {"gates", "list", p}, "gates show": {"gates", "show", p, "0000"},
		"replay": {"replay", p, dir}, "canary": {"canary", p, "--shadow", p},
		"evolve":  {"evolve", p, "--logs", logs, "-o", out},
		"distill": {"distill", logs, "--parent", p, "-o", out},
		"audit":   {"gates", "audit", p, "--against", p, "--mutations", "1"},
	}
}

// memories are the doors that decide on calls, and so remember.
var memories = []string{"verify", "serve", "mcp", "run", "check"}

// trustCase is a way to open the sample policy of the vectors, whose sequence
// number is 7.
type trustCase struct {
	name    string
	signers []string
	flags   []string // of --trust and what goes with it
	says    string   // what the refusal says; empty if the policy is opened
}

// TestTrustDoors: the same policy is opened, or refused with exit status 4, by
// every command that opens one.
func TestTrustDoors(t *testing.T) {
	dir := t.TempDir()
	key := func(name, ext string) string { return filepath.Join(dir, name+ext) }
	for _, name := range []string{"a", "b", "c"} {
		mustRun(t, "keygen", "-o", key(name, ""))
	}
	a, b := []string{"--trust", key("a", ".pub")}, []string{"--trust", key("a", ".pub"), "--trust", key("b", ".pub"), "--need", "2"}
	ring, forged := []string{"--trust", rotatedRing(t, dir)}, []string{"--trust", filepath.Join(dir, "forged.ring")}
	cases := []trustCase{
		{"one signature", []string{"a"}, a, ""},
		{"unsigned", nil, a, "unsigned, and a signature is required"},
		{"another key", []string{"b"}, a, "which is not trusted"},
		{"both of two", []string{"a", "b"}, b, ""},
		{"one of two", []string{"a"}, b, "1 of the 2 signatures by different trusted keys"},
		{"one of two, and a stranger", []string{"a", "c"}, b, "1 of the 2 signatures by different trusted keys"},
		{"either of two", []string{"b"}, b[:4], ""},
		{"a key of the ring", []string{"b"}, ring, ""},
		{"a key that the ring retired", []string{"a"}, ring, "which the key ring holds for sequence 1 to 6, and this policy has 7"},
		{"a key beside the ring", []string{"c"}, ring, "which is not trusted"},
		{"a ring that somebody changed", []string{"c"}, forged, "not trusted: key ring refused"},
	}
	for _, c := range cases {
		seal(t, dir, c.signers...)
		for name, args := range trustDoors(dir) {
			askDoor(t, name, c, append(args, c.flags...))
		}
	}
	for _, c := range rollbackCases(dir, a) {
		seal(t, dir, "a")
		for _, name := range memories {
			askDoor(t, name, c, append(trustDoors(dir)[name], c.flags...))
		}
	}
}

// rotatedRing is a ring in which a made way for b before the sample policy, and
// forged.ring is it with c, without a signature that counts.
func rotatedRing(t *testing.T, dir string) string {
	t.Helper()
	in := func(name string) string { return filepath.Join(dir, name) }
	ring := in("team.ring")
	mustRun(t, "keys", "add", ring, in("a.pub"), "--key", in("a.pem"))
	mustRun(t, "keys", "add", ring, in("b.pub"), "--from", "7", "--key", in("a.pem"))
	mustRun(t, "keys", "retire", ring, in("a.pub"), "--after", "6", "--key", in("b.pem"))
	mustRun(t, "keys", "add", in("c.ring"), in("c.pub"), "--key", in("c.pem"))
	good, err := os.ReadFile(ring)
	own, err2 := os.ReadFile(in("c.ring"))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	_, end, _ := bytes.Cut(own, []byte("need 1\n"))
	write(t, in("forged.ring"), string(good)+string(end))
	return ring
}

// seal puts the sample policy in place with these signatures.
func seal(t *testing.T, dir string, signers ...string) {
	t.Helper()
	data, err := os.ReadFile("../../artifacts/testdata/vectors/good-sample.gbt")
	if err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(dir, "p.gbt")
	if err := os.WriteFile(p, data, 0o644); err != nil {
		t.Fatal(err)
	}
	os.Remove(p + trust.SeenSuffix)
	for _, s := range signers {
		mustRun(t, "sign", p, "--key", filepath.Join(dir, s+".pem"))
	}
}

func askDoor(t *testing.T, name string, c trustCase, args []string) {
	t.Helper()
	if name == "mcp" {
		args = append(args, "--", "true")
	}
	code, said := gbtRun(t, "", args...)
	if refused := code == exitSignature; refused != (c.says != "") || !strings.Contains(said, c.says) {
		t.Errorf("%s: %s: exit status %d, want refused with %q\n%s", c.name, name, code, c.says, said)
	}
}

// rollbackCases are about a rightly signed policy of sequence number 7.
func rollbackCases(dir string, flags []string) []trustCase {
	seen := func(name, text string) []string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			panic(err)
		}
		return append(flags[:len(flags):len(flags)], "--seen", file)
	}
	return []trustCase{
		{"the least sequence", nil, append(flags[:2:2], "--min-sequence", "7"), ""},
		{"below the least", nil, append(flags[:2:2], "--min-sequence", "8"), "sequence 7 is older than 8"},
		{"the same was seen", nil, seen("same", "gbt seen 1\nsequence 7\n"), ""},
		{"a newer one was seen", nil, seen("newer", "gbt seen 1\nsequence 8\n"), "newer remembers a newer one"},
	}
}

// TestSeen: what was opened is remembered beside the policy, by those that decide
// on calls and only with a trusted key, and a person can go back.
func TestSeen(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, "keygen", "-o", filepath.Join(dir, "a"))
	flags := []string{"--trust", filepath.Join(dir, "a.pub")}
	memory := filepath.Join(dir, "p.gbt.seen")
	for name, args := range trustDoors(dir) {
		seal(t, dir, "a")
		gbtRun(t, "", args...)
		if _, err := os.Stat(memory); err == nil {
			t.Errorf("%s remembers a policy of unknown origin", name)
		}
		askDoor(t, name, trustCase{}, append(args, flags...))
		_, err := os.Stat(memory)
		want := name == "serve" || name == "mcp" || name == "run" || name == "check"
		if (err == nil) != want {
			t.Errorf("%s remembers: %v, want %v", name, err == nil, want)
		}
	}
	write(t, memory, "gbt seen 1\nsequence 9\n")
	p := filepath.Join(dir, "p.gbt")
	check := append([]string{"check", "--shell", "--policy", p}, flags...)
	if code, said := gbtRun(t, "", check...); code != exitSignature || !strings.Contains(said, "--allow-rollback REASON") {
		t.Errorf("a rolled back policy: exit status %d, %s", code, said)
	}
	if code, said := gbtRun(t, "", "verify", p, "--allow-rollback", "why"); code != exitUsage {
		t.Errorf("going back without a key: exit status %d, %s", code, said)
	}
	mustRun(t, append([]string{"verify", p, "--allow-rollback", "9 stops the nightly build"}, flags...)...)
	mustRun(t, check...)
	data, err := os.ReadFile(memory)
	if want := "gbt seen 1\nsequence 7\nrollback 9 7 \"9 stops the nightly build\"\n"; err != nil || string(data) != want {
		t.Errorf("remembered: %q (error %v), want %q", data, err, want)
	}
	write(t, memory, "gbt seen 1\n")
	if code, said := gbtRun(t, "", check...); code != exitInput || !strings.Contains(said, "p.gbt.seen, which remembers the newest policy opened: damaged") {
		t.Errorf("a damaged memory: exit status %d, %s", code, said)
	}
}
