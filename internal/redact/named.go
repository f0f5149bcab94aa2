package redact

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/names"
)

// Named says whether an argument, a field or an option is named as a secret is;
// of a path of names, the last one counts.
func Named(path string) bool {
	return names.SecretKey(nameWords(path[strings.LastIndexByte(path, '.')+1:]))
}

// nameWords takes a name apart: api-key, api_key, apiKey, X-Api-Key.
func nameWords(name string) []string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z' && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z':
			b.WriteByte(' ')
			b.WriteByte(c)
		case c == '-' || c == '_' || c == '.' || c == '/':
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return strings.Fields(strings.ToLower(b.String()))
}
