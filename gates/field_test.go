package gates

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

var update = flag.Bool("update", false, "write the golden files and the table of PROGRAM.md anew")

// golden compares what was made with a file of testdata, or writes it anew.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs: what was released never changes, and new fields come at the end\n%s\nwant\n%s", path, got, want)
	}
}

// distinct is a context whose every value is another one, so that a field that
// reads its neighbour is found out.
func distinct() Context {
	return Context{
		Tool: "ns.T1", Class: Class{Family: FamilyFile, Verb: VerbRead, Resource: ResourceMessage},
		Args: []Arg{
			{Path: "path1", Value: "val1", Origin: OriginUntrusted, Source: "source1", Form: "form1", Role: "role1"},
			{Path: "path2", Value: "value2", Origin: OriginTask, Source: "source2", Form: "form2", Role: "role2"},
		},
		Effects: []Effect{
			{Kind: effect.Write, Op: effect.OpCreate, Zone: effect.ZoneTemp, Resource: "res1", Program: "prog1", Argv: "argv1", Parent: "parent1", Sensitive: true,
				Net: Net{Scheme: "scheme1", Domain: "domain1", IP: "ip1", Port: 11}, Payload: effect.Payload{Known: true, Len: 12, MIME: "mime1", Hash: "hash1"}},
			{Kind: effect.Network, Op: effect.OpSend, Zone: effect.ZoneHome, Resource: "res2", Program: "prog2", Argv: "argv2", Parent: "parent2", Protected: true,
				Net: Net{Scheme: "scheme2", Domain: "domain2", IP: "ip2", Port: 21}, Payload: effect.Payload{Len: 22, MIME: "mime2", Hash: "hash2"}},
			{Kind: effect.Delete, Resource: "res3", Glob: true},
			{Kind: effect.Spawn, Resource: "res4", Deferred: true},
		},
		Cwd: "cwd", Home: "home", Roots: []string{"root1", "root2"}, UID: 31, GID: 32, Command: "command",
		History: []Record{{Kind: effect.Read, Op: effect.OpRead, Resource: "res5", Time: 41}, {Kind: effect.Delete, Op: effect.OpWipe, Resource: "res6", Time: 42}},
		Flow:    Flow{SensitiveRead: true, Derived: []string{"derived1", "derived2"}, Unvetted: []string{"unvetted1"}},
	}
}

// TestCanonicalBytes pins the canonical form and the decisions' ids, byte by
// byte.
func TestCanonicalBytes(t *testing.T) {
	var out bytes.Buffer
	for _, c := range append(canonicalSamples(), distinct()) {
		d := (&Guardrail{}).Decide(&c)
		fmt.Fprintf(&out, "%s\n%v %s\n", c.AppendCanonical(nil), d.Disposition, d.ID(&c, "policy"))
	}
	golden(t, "canonical.golden", out.Bytes())
}
