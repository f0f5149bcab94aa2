package artifacts_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// A policy is encoded, signed, and opened by whoever trusts the key; its rules
// then decide on calls. A file that was changed is not opened.
func Example() {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)) // `gbt keygen` makes a secret one
	trust := artifacts.Trust{Keys: []ed25519.PublicKey{key.Public().(ed25519.PublicKey)}}

	data, err := artifacts.Encode(policy())
	if err != nil {
		fmt.Println(err)
		return
	}
	signed, err := artifacts.Sign(data, key)
	if err != nil {
		fmt.Println(err)
		return
	}
	opened, info, err := artifacts.Open(signed, trust)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(opened.Name, info.Signed)

	checker, err := artifacts.NewChecker(opened)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := checker.Context(gates.Request{Tool: "Bash", Args: []byte(`{"command":"make deploy"}`)}, gates.State{Cwd: "/repo", Roots: []string{"/repo"}})
	decision := checker.Check(&ctx, nil)
	fmt.Println(decision.Disposition, decision.Reasons[0].Rule)

	signed[len(signed)/2] ^= 1
	_, _, err = artifacts.Open(signed, trust)
	fmt.Println(err)
	// Output:
	// notes true
	// rejected spawn/denied
	// policy refused (signature): damaged signature, or a signature of another policy
}

// policy is the smallest one there is, with one rule; gbt distill makes real
// ones out of logs.
func policy() *artifacts.Policy {
	p := &artifacts.Policy{
		Name: "notes", Sequence: 1,
		Tree: tree.Tree{
			Families: []tree.Family{{Name: "notes", Node: 1}},
			States:   []tree.State{{Key: "^"}},
			Nodes:    []tree.Node{{Parent: -1, State: -1}, {}},
		},
		Params: tree.Params{
			Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, RouteAbstain: 550, RouteKeep: 100,
			RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100, Alpha: 1000, EnvCos: 800, Lambda: 500, MaxRecovery: 8,
			MaxChildren: 12, AllowedShare: 500,
		},
		Encoder:    artifacts.Encoder{ID: "none", Digest: artifacts.MerkleRoot(nil), Dim: 1},
		Pack:       artifacts.DefaultPack(),
		Provenance: artifacts.Provenance{Tool: "example", Config: artifacts.MerkleRoot(nil), Inputs: artifacts.Inputs{Root: artifacts.MerkleRoot(nil)}},
	}
	p.Guardrail.Rules.DenySpawn = []string{"make"}
	return p
}

// A program that embeds gbt keeps a ring's root, and reads the ring again where
// keys change: what keys of the ring did not sign is refused.
func ExampleOpenRing() {
	old := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	add := "add " + base64.StdEncoding.EncodeToString(old.Public().(ed25519.PublicKey)) + " from 1\n"
	first, err := artifacts.SignRing([]byte(artifacts.RingHead+"\nneed 1\n"+add), old) // `gbt keys add`
	if err != nil {
		fmt.Println(err)
		return
	}
	ring, err := artifacts.OpenRing(first, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := artifacts.Encode(policy())
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _, err = artifacts.Open(data, artifacts.Trust{Rings: []*artifacts.Ring{ring}})
	fmt.Println(err)

	_, err = artifacts.OpenRing(append(first, "need 1\n"...), ring.Root) // a change that nobody signed
	fmt.Println(err)

	// Output:
	// policy refused (signature): unsigned, and a signature is required
	// key ring refused: line 5: 0 of the 1 signatures that are needed by keys of the ring; gbt keys sign adds one
}
