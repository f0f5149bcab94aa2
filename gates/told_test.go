package gates

import "strings"

// told are sources that compare texts and no more: what the task says is the
// task's, and what one of the other texts says came out of a text.
type told struct {
	task      string
	untrusted []string
}

func (s told) Find(value string) (origin, source, form string) {
	if len(value) < 3 {
		return "agent", "", ""
	}
	if strings.Contains(s.task, value) {
		return "task", "", ""
	}
	for _, text := range s.untrusted {
		if strings.Contains(text, value) {
			return "untrusted", "", "~"
		}
	}
	return "agent", "", ""
}

// Told are sources for tests that only see what package gates exports.
func Told(task string, untrusted ...string) Sources { return told{task, untrusted} }
