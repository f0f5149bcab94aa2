package episode

import (
	"slices"

	"github.com/gbt-policy/gbt/gates"
)

// maxPlaces bounds the places that messages named. The oldest are dropped: they are asked about again.
const maxPlaces = 32

// Places are those that messages of the user's named, oldest first.
func (m *Memory) Places() []string { return slices.Clone(m.places) }

// Named takes in the places that are named after a message (scope.Named). They hold for the run: a look
// again at what was named says no more than the first one, and the user who goes on with "continue" means
// the same place. Another message may take them back, and a read of secrets does.
func (m *Memory) Named(list []string) { m.places = slices.Clone(last(list, maxPlaces)) }

// named says what a decision asks about, if all of it is what messages named.
func (m *Memory) named(c *gates.Context, d *gates.Decision) string {
	if m.Opens == nil || len(m.places) == 0 {
		return ""
	}
	if what := m.Opens(c, d, m.places); what != "" {
		return gates.ByOrder + what
	}
	return ""
}
