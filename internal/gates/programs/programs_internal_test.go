package programs

import "testing"

// Two roles of one letter would be one role.
func TestLettersDiffer(t *testing.T) {
	for name, words := range map[string][]word{"does": doesWords, "roles": roleWords, "flags": flagWords} {
		seen := map[byte]string{}
		for _, w := range words {
			if other := seen[w.letter]; other != "" {
				t.Errorf("%s: %s and %s are both %q", name, other, w.text, w.letter)
			}
			seen[w.letter] = w.text
		}
	}
}
