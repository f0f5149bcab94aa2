package corpora

import "testing"

func TestOriginString(t *testing.T) {
	for want, o := range map[string]Origin{
		"a.json":                  {File: "a.json", Index: -1},
		"a.json[0]":               {File: "a.json"},
		"a.json[7]":               {File: "a.json", Index: 7},
		"a.jsonl:3":               {File: "a.jsonl", Line: 3, Index: -1},
		"a.jsonl:4":               {File: "a.jsonl", Line: 4, Index: 2},
		`a.json:1["samples"][2]`:  {File: "a.json", Line: 1, Key: "samples", Index: 2},
		`a.json["k"]`:             {File: "a.json", Key: "k", Index: 4},
		`a.json:1["k"]`:           {File: "a.json", Line: 1, Key: "k", Index: 4},
		`a.json["samples"][0]`:    {File: "a.json", Key: "samples"},
		`a.json["samples"][12]`:   {File: "a.json", Key: "samples", Index: 12},
		"a.zip!in/b.jsonl:2":      {File: "a.zip", Member: "in/b.jsonl", Line: 2, Index: -1},
		`a.json["a \"b\"\n\x1b"]`: {File: "a.json", Key: "a \"b\"\n\x1b", Index: 1},
	} {
		if got := o.String(); got != want {
			t.Errorf("%+v is %s, want %s", o, got, want)
		}
	}
}
