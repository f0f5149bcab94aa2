package review

// FamilyCount is how the counts of a family on both sides moved.
type FamilyCount struct {
	Family string `json:"family"`
	Old    Count  `json:"old"`
	New    Count  `json:"new"`
}

// served compares how many tasks the families have, and how they ended.
func (c *comparison) served() {
	_, _, both := split(c.a.p.Tree.Families, c.b.p.Tree.Families, familyName)
	for _, f := range both {
		old, new := c.a.p.Tree.Nodes[f.old.Node].Count, c.b.p.Tree.Nodes[f.new.Node].Count
		if old != new {
			c.out.Stats.Families = append(c.out.Stats.Families, FamilyCount{f.new.Name, Count(old), Count(new)})
		}
	}
}
