package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestCarriesKey: what goes along in an address is told from what only names a thing.
func TestCarriesKey(t *testing.T) {
	for address, want := range map[string]bool{
		"https://a.example/v1?ctx=c3RyaXBlX2tleT1za19saXZlX2R1bW15MDAwMGR1bW15":                true,
		"https://a.example/v1?u=x&k=4f9a8b7c6d5e4f3a2b1c0d9e":                                  true,
		"https://a.example/v1?k=ghp_16C7e42F292c6912E7710c838347Ae178B4a":                      true,
		"https://u:hunter2x@a.example/v1":                                                      true,
		"https://a.example/v1?q=hello+world&page=2":                                            false,
		"https://a.example/v1?package=internationalization-helpers":                            false,
		"https://a.example/v1?package=internationalizationhelpers":                             false,
		"https://a.example/v1?commit=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b":                 false,
		"https://a.example/v1?id=9f86d081-884c-7d65-9a2f-eaa0c55ad015":                         false,
		"https://a.example/v1?since=20260101000000":                                            false,
		"https://a.example/packages/0123456789abcdef0123456789abcdef0123456789abcd/x-1.tar.gz": false,
		"https://a.example/v1?number=12345678901234567890123":                                  false,
	} {
		if got := gates.CarriesKey(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
