package distill

import (
	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// GuardOnly is a policy that no log had a part in: the settings of a configuration, with
// a tree that begins and knows nothing more.
func (c *Config) GuardOnly() (*artifacts.Policy, error) {
	p, err := c.Shell()
	if err != nil {
		return nil, err
	}
	if p.Provenance.Config, err = c.digest(); err != nil {
		return nil, err
	}
	if p.Schemas, err = c.sealedSchemas(); err != nil {
		return nil, err
	}
	if p.Gates, err = c.SealedGates(); err != nil {
		return nil, err
	}
	table := text.Default()
	p.Name, p.Sequence, p.LogText = c.Name, 1, c.KeepText
	p.Guardrail.Content = c.Content.Seal
	p.Tree = tree.Tree{
		Families: []tree.Family{{Name: "any", Node: 1}},
		States:   []tree.State{{Key: "start"}},
		Nodes:    []tree.Node{{Parent: -1, State: -1}, {}},
	}
	p.Encoder = artifacts.Encoder{ID: table.ID(), Digest: table.Digest(), Dim: table.Dim()}
	p.Provenance.Tool, p.Provenance.Inputs.Root = Tool, artifacts.MerkleRoot(nil)
	return p, nil
}
