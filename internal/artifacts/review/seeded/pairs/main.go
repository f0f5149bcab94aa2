// Pairs writes seeded changes of a policy as pairs of files, so that a reader who has
// not made them can be asked which of them weaken it:
//
//	go run ./internal/artifacts/review/seeded/pairs -o DIR
//
// DIR/01/old.gbt and DIR/01/new.gbt are the first pair, and so on. As many changes
// weaken as are harmless; which they are and their order follow from -seed. The key
// stands aside, in DIR.key: one line a pair.
//
// What belongs here: writing pairs and their key. What never does: the changes
// (package seeded), and how they are told (package review).
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review/seeded"
)

func main() {
	out := flag.String("o", "", "write the pairs to `DIR`, which must not exist")
	sample := flag.String("policy", filepath.Join("artifacts", "testdata", "vectors", "good-sample.gbt"), "the sample in `FILE`")
	n := flag.Int("n", 20, "`N` pairs, half of them harmless")
	seed := flag.Uint64("seed", 1, "choose and order by `N`")
	flag.Parse()
	if err := run(*out, *sample, *n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}

func run(dir, sample string, n int, seed uint64) error {
	if dir == "" || n < 2 || n%2 != 0 {
		return fmt.Errorf("-o names a directory that is not there yet, -n is an even number")
	}
	list, err := choose(n, seed)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	var key strings.Builder
	for i, c := range list {
		name := fmt.Sprintf("%02d", i+1)
		if err := write(filepath.Join(dir, name), sample, &c); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		says := "harmless"
		if c.Weakens() {
			says = "WEAKER " + c.Rule
		}
		fmt.Fprintf(&key, "%s %s: %s\n", name, says, c.Name)
	}
	return os.WriteFile(strings.TrimRight(dir, "/")+".key", []byte(key.String()), 0o644)
}

// choose draws half of the changes from those that weaken, half from the others, and
// shuffles them.
func choose(n int, seed uint64) ([]seeded.Change, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	kinds := map[bool][]seeded.Change{}
	for _, c := range seeded.All() {
		kinds[c.Weakens()] = append(kinds[c.Weakens()], c)
	}
	var out []seeded.Change
	for _, weakens := range []bool{false, true} {
		all := kinds[weakens]
		if len(all) < n/2 {
			return nil, fmt.Errorf("-n %d: there are %d changes of a kind", n, len(all))
		}
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		out = append(out, spread(all)[:n/2]...)
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out, nil
}

// spread puts one change of each rule in front: most rules have one, limits have many.
func spread(all []seeded.Change) []seeded.Change {
	var first, more []seeded.Change
	seen := map[string]bool{}
	for _, c := range all {
		if c.Weakens() && seen[c.Rule] {
			more = append(more, c)
			continue
		}
		seen[c.Rule] = true
		first = append(first, c)
	}
	return append(first, more...)
}

// write writes the policy as it was and as the change leaves it.
func write(dir, sample string, c *seeded.Change) error {
	data, err := os.ReadFile(sample)
	if err != nil {
		return err
	}
	p, _, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		return err
	}
	seeded.Base(p)
	old, err := artifacts.Encode(p)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(old)
	p.Parent, p.Sequence = hex.EncodeToString(sum[:]), p.Sequence+1
	c.Edit(p)
	new, err := artifacts.Encode(p)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "old.gbt"), old, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "new.gbt"), new, 0o644)
}
