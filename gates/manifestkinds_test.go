package gates

import (
	"regexp"
	"testing"
)

// TestManifestPatterns: what manifestKinds say compiles, and each says which files it is of.
func TestManifestPatterns(t *testing.T) {
	for i := range manifestKinds {
		k := &manifestKinds[i]
		if _, err := regexp.Compile(k.names.text); err != nil || k.base == "" && k.ends == "" && k.is == nil {
			t.Errorf("%s%s: %v", k.base, k.ends, err)
		}
	}
}
