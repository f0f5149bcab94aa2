package opinion

import (
	"strings"
	"testing"
)

// TestRead: only the two forms count, and all else is a FAIL with a reason.
func TestRead(t *testing.T) {
	for answer, want := range map[string]Opinion{
		"PASS":                                  {Pass: true},
		"PASS\n":                                {Pass: true},
		"PASS: all is checked":                  {Pass: true, Reason: "all is checked"},
		"FAIL: nothing looks at b.txt\n":        {Reason: "nothing looks at b.txt"},
		"":                                      {Reason: "the answer is empty"},
		"\n":                                    {Reason: "the answer is empty"},
		"FAIL":                                  {Reason: "the answer is neither PASS nor FAIL with a reason"},
		"FAIL:  ":                               {Reason: "the answer is neither PASS nor FAIL with a reason"},
		"PASS:":                                 {Reason: "the answer is neither PASS nor FAIL with a reason"},
		"pass":                                  {Reason: "the answer is neither PASS nor FAIL with a reason"},
		" PASS":                                 {Reason: "the answer is neither PASS nor FAIL with a reason"},
		"PASSED: yes":                           {Reason: "the answer is neither PASS nor FAIL with a reason"},
		"**PASS**":                              {Reason: "the answer is neither PASS nor FAIL with a reason"},
		"I think PASS: good":                    {Reason: "the answer is neither PASS nor FAIL with a reason"},
		"PASS\nFAIL: no":                        {Reason: "the answer is not one short line"},
		"FAIL: a\nPASS":                         {Reason: "the answer is not one short line"},
		"PASS: \x1b[2J":                         {Reason: "the answer is not one short line"},
		"PASS: \xff":                            {Reason: "the answer is not one short line"},
		"PASS: " + strings.Repeat("a", maxLine): {Reason: "the answer is not one short line"},
	} {
		if got := Read(answer); got != want {
			t.Errorf("%q: %+v, want %+v", answer, got, want)
		}
	}
}

// FuzzRead: a FAIL always has a reason, and a PASS comes of a line that begins so.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"PASS", "FAIL: x", "", "PASS: y\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		o := Read(s)
		if !o.Pass && o.Reason == "" || o.Pass && !strings.HasPrefix(s, "PASS") || strings.ContainsAny(o.Reason, "\n\r\x1b") {
			t.Errorf("%q: %+v", s, o)
		}
	})
}
