package artifacts

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// pocket is a record whose last fields came later.
type pocket struct {
	Old   bool
	Coins uint32
	Keys  []string
}

func pocketRecord() *record {
	r := &record{rows: []row{
		{name: "old", typ: boolType, at: func(v any) any { return &v.(*pocket).Old }},
		{name: "coins", typ: u32Type, optional: true, at: func(v any) any { return &v.(*pocket).Coins }},
		{name: "keys", typ: namesTo(3), optional: true, at: func(v any) any { return &v.(*pocket).Keys }},
	}}
	r.measure()
	return r
}

// TestOptionalFields: what is not set at the end of a record is not written, and
// there is one way to write each record.
func TestOptionalFields(t *testing.T) {
	r := pocketRecord()
	if r.shape() != "[old: boolean, coins?: u32, keys?: {name}*]" {
		t.Error(r.shape())
	}
	for _, c := range []struct {
		v    pocket
		want string
	}{
		{pocket{}, "\x91\xc2"},
		{pocket{Old: true}, "\x91\xc3"},
		{pocket{Coins: 7}, "\x92\xc2\x07"},
		{pocket{Keys: []string{"a"}}, "\x93\xc2\x00\x91\xa1a"},
		{pocket{Coins: 7, Keys: []string{"a"}}, "\x93\xc2\x07\x91\xa1a"},
	} {
		enc := newEncoder(nil)
		if r.walk(enc, &c.v); enc.finish() != nil || enc.out.String() != c.want {
			t.Errorf("%+v: %x (error %v), want %x", c.v, enc.out.Bytes(), enc.err, c.want)
		}
		var got pocket
		dec := newDecoder([]byte(c.want), nil)
		if r.walk(dec, &got); dec.finish() != nil || !reflect.DeepEqual(got, c.v) {
			t.Errorf("%x: %+v (error %v), want %+v", c.want, got, dec.err, c.v)
		}
	}
	for _, bad := range []string{"\x90", "\x92\xc2\x00", "\x93\xc2\x07\x90", "\x93\xc2\x00\x90", "\x94\xc2\x07\x91\xa1a\x00"} {
		var got pocket
		dec := newDecoder([]byte(bad), nil)
		if r.walk(dec, &got); dec.finish() == nil {
			t.Errorf("%x was read as %+v", bad, got)
		}
	}
}

// optionalVectors are policies in which one optional field after the other is
// set: a reader that does not know one of them is found out.
func optionalVectors(t *testing.T) []vector {
	var out []vector
	base := must(full())
	for i := range sections() {
		s := &sections()[i]
		if s.typ.record == nil {
			continue
		}
		for _, f := range s.typ.record.rows {
			if !f.optional {
				continue
			}
			p := full()
			v := reflect.ValueOf(f.at(s.element(p, 0))).Elem()
			bumped := v.IsZero()
			if bumped {
				bump(t, v)
			}
			data, err := Encode(p)
			if err != nil {
				t.Fatalf("%s.%s: %v", s.tag, f.name, err)
			}
			if bumped && bytes.Equal(data, base) {
				t.Fatalf("%s.%s is not written", s.tag, f.name)
			}
			out = append(out, vector{name: strings.ToLower(s.tag) + "-" + f.name, data: data})
		}
	}
	return slices.Clip(out)
}
