package artifacts

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// TestOpenRules holds OpenRules against Open on every vector: at the steps
// before encoding it refuses the same files at the same step; at encoding and
// policy it refuses those whose fault lies in its sections; and what it opens
// has the same rules.
func TestOpenRules(t *testing.T) {
	whole, inRules, elsewhere, good := 0, 0, 0, 0
	all := vectors()
	for i := range all {
		v := &all[i]
		_, _, full := Open(v.data, v.settings())
		r, info, err := OpenRules(v.data, v.settings())
		if err != nil && (r != nil || info != nil) {
			t.Errorf("%s: an error and a result", v.name)
		}
		var refusal *Refusal
		if err != nil && !errors.As(err, &refusal) {
			t.Fatalf("%s: %v is no refusal", v.name, err)
		}
		switch {
		case v.expect == "":
			good++
			p, want, _ := Open(v.data, v.settings())
			if err != nil || !reflect.DeepEqual(r, &Rules{p.Guardrail, p.Gates, p.Schemas}) || !reflect.DeepEqual(info, want) {
				t.Errorf("%s: got %+v %+v %v", v.name, r, info, err)
			}
		case v.expect != StepEncoding && v.expect != StepPolicy:
			whole++
			if refusal == nil || refusal.Step != v.expect {
				t.Errorf("%s: %v, want refused by step %s", v.name, err, v.expect)
			}
		case faultInRules(full):
			inRules++
			if refusal == nil || refusal.Step != v.expect {
				t.Errorf("%s: %v, want refused by step %s as by Open: %v", v.name, err, v.expect, full)
			}
		default:
			elsewhere++
		}
	}
	t.Logf("%d vectors refused before encoding, %d for their rules, %d have a fault elsewhere, %d good", whole, inRules, elsewhere, good)
	if whole < 20 || inRules < 10 || good < 2 {
		t.Error("too few vectors of a kind")
	}
}

// faultInRules says by Open's error whether a file's fault is in a section that
// OpenRules decodes.
func faultInRules(err error) bool {
	text := err.Error()
	for _, at := range []string{"section RAIL", "section GATE", "section SCHM", ": gate ", "\ngate ", "schema ", "egress", "protected path", "sensitive path", "program to", ": root "} {
		if strings.Contains(text, at) {
			return true
		}
	}
	return false
}

// TestOpenRulesDamaged flips every byte of a signed file: nothing opens.
func TestOpenRulesDamaged(t *testing.T) {
	all, n := vectors(), 0
	for i := range all {
		v := &all[i]
		if v.expect != "" || len(v.trust) == 0 || len(v.trust) > 2 || strings.HasPrefix(v.name, "good-signers-o") {
			continue // many take long, and signatures of others may say anything
		}
		for at := range v.data {
			data := append([]byte(nil), v.data...)
			data[at] ^= 0x40
			if _, _, err := OpenRules(data, v.settings()); err == nil {
				t.Fatalf("%s: opened with byte %d changed", v.name, at)
			}
			n++
		}
	}
	if n == 0 {
		t.Error("no signed vector")
	}
}
