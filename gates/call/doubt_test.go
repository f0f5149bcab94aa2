package call

import (
	"encoding/json"
	"testing"
)

func TestDoubtfulArguments(t *testing.T) {
	for args, want := range map[string]bool{
		`{"command":"ls"}`:                          false,
		`{"command":"rm -rf /","command":"ls"}`:     true,
		`{"command":"ls","Command":"rm -rf /"}`:     true,
		`{"\u212aey":1,"key":2}`:                    true, // the Kelvin sign
		`{"s":1,"` + "\u017f" + `":2}`:              true, // the long s
		`{"comm\u0061nd":1,"command":2}`:            true,
		`{"\ud800":1,"\udfff":2}`:                   true, // both are read as U+FFFD
		`{"a":{"x":1},"b":{"X":1},"c":[{"x":1}]}`:   false,
		`{"a":[{"b":{"x":1,"X":2}}]}`:               true,
		`{"a":["x","x",{"x":"x"}],"b":"a","c":"b"}`: false,
		`{"a":{},"b":[],"A":1}`:                     true,
		`"{\"command\":\"ls\",\"COMMAND\":\"rm\"}"`: true,
		`"ls ls"`: false,
		`{"ss":1,"` + "\u00df" + `":2,"e":1,"\u00e9":2}`: false, // simple folding keeps them apart
		``:      false,
		`null`:  false,
		`{"a":`: false,
		`]`:     false,
	} {
		if got := Doubt([]byte(args)); (got != "") != want {
			t.Errorf("%s: %q", args, got)
		}
	}
}

// FuzzDoubt: what encoding/json reads into a field by another spelling of its
// name is never unambiguous beside the name itself.
func FuzzDoubt(f *testing.F) {
	for _, s := range []string{"task", "TASK", "ta\u017fk", "tas\u212a", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err) // strings always encode
		}
		var in struct {
			Task string `json:"task"`
		}
		args := []byte(`{"task":"a",` + string(quoted) + `:"b"}`)
		if json.Unmarshal(args, &in) == nil && in.Task == "b" && Doubt(args) == "" {
			t.Errorf("%s is read as one field", args)
		}
	})
}
