package artifacts

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t)
		data, err := Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		got, info, err := Open(data, Trust{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p, got) {
			t.Fatalf("decoded policy differs:\nencoded %+v\ndecoded %+v", p, got)
		}
		if info.Signed || info.KeyIDs != nil || info.Sequence != p.Sequence {
			t.Fatalf("info of an unsigned file: %+v", info)
		}
		again, err := Encode(got)
		if err != nil || !bytes.Equal(data, again) {
			t.Fatalf("second encoding differs (error %v)", err)
		}
	})
}
