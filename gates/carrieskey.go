package gates

import (
	"encoding/base64"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/class"
)

// leastEncoded is how many signs of base64 or hex a value has that may hold a key: 15 bytes in base64.
const leastEncoded = 20

// CarriesKey says whether an address holds what looks like a credential, or has encoded text behind ?: a
// value in base64 or hex that is a text, or that is so long and mixed that it may be a key.
func CarriesKey(address string) bool {
	if class.Sent(address)&class.Credentials != 0 {
		return true
	}
	_, query, ok := cutAt(address, "?")
	if !ok {
		return false
	}
	for _, v := range strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune("&=;,%", r) }) {
		if v = strings.TrimRight(v, "="); len(v) >= leastEncoded && encoded(v) {
			return true
		}
	}
	return false
}

// encoded says whether a value is a text in base64, or a run of letters and digits as keys are.
func encoded(v string) bool {
	for _, by := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if text, err := by.DecodeString(v); err == nil && printable(string(text)) {
			return true
		}
	}
	digits := 0
	for _, r := range v {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		default:
			return false
		}
	}
	return digits > 2 && digits < len(v) && len(v) != 40 && len(v) != 64 // the digests of commits and files
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r > '~' })
}
