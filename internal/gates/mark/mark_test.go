package mark

import "testing"

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"\x02", "", true},
		{"sh\x03dow", "shadow", true},
		{"sh\x04ab]dow", "shadow", true},
		{"\x02.pem", "a.pem", true},
		{"\x02.pem", "a.pe", false},
		{"a\x02b\x02c", "axxbyyc", true},
		{"abc", "abd", false},
	}
	for _, tt := range tests {
		if got := Match(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Match(%q, %q) = %v", tt.pattern, tt.name, got)
		}
	}
}
