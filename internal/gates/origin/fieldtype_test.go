package origin_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/origin"
)

// TestFieldType holds that a value which leads somewhere is a field's only where
// the field is of that type: people may call themselves what they like.
func TestFieldType(t *testing.T) {
	for _, tt := range []struct {
		value string
		leads bool
	}{
		{"osric@lathes.example", true},
		{"osric%40lathes.example", true},
		{"https://lathes.example/pay", true},
		{"www.lathes.example", true},
		{"DE89 3704 0044 0532 0130 00", true},
		{"GB94BARC10201530093459", true},
		{"NO9386011117947", true},
		{"+44 (0)20 7946-0018", true},
		{"+442079460018", true},
		{"0x52908400098527886E0F7030069857D2E4169EE7", true},
		{"+0100", false},
		{"0xdeadbeef", false},
		{"02079460018", false},            // an order has such a number too
		{"GB94BARC10201530093450", false}, // the check digits are wrong
		{"D189370400440532013000", false},
		{"2024-05-13T10:00:00.000Z", false},
		{"lathes.example", false}, // nor is report.pdf told from it
		{"@osric", false},
		{"Osric of Lathes", false},
		{"sent at osric@lathes.example", false},
	} {
		for key, typed := range map[string]bool{
			"payee": true, "billing_email": true, "replyTo": true, "account number": true, "": true,
			"nickname": false, "vendor": false, "payee_name": false, "status": false, "emailLabel": false,
		} {
			v, _ := json.Marshal(tt.value)
			k, _ := json.Marshal(key)
			for shape, path := range map[string]string{`[{"n":1,K:V}]`: "[]." + key, `{"hits":[{K:[V]}]}`: "hits[]." + key + "[]", "- n: 1\n  K: V": "[]." + key} {
				var x origin.Index
				x.Observe("seek_vendors", []byte(strings.NewReplacer("K", string(k), "V", string(v)).Replace(shape)))
				_, _, form := x.Find(tt.value)
				if key == "" || strings.Contains(key, " ") {
					path = strings.Replace(path, key, "*", 1)
				}
				want := path
				if tt.leads && !typed {
					want += "~"
				}
				if key != "" && form != want {
					t.Errorf("%s in %s: form %q, want %q", tt.value, shape, form, want)
				}
			}
		}
	}
}

// TestKeysSorted holds that the words can be searched.
func TestKeysSorted(t *testing.T) {
	if !slices.IsSorted(origin.LeadingKeys()) || !slices.IsSorted(origin.QueryKeys()) {
		t.Error("words that are not sorted")
	}
}
