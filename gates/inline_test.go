package gates

import (
	"strings"
	"testing"
)

// sink is something that inline code must not reach unasked: a function of a
// module, with its arguments.
type sink struct{ module, name, args string }

// family is a language, ways of naming a function in it, and functions. In a way,
// M stands for the module, F for the function and A for its arguments; half1 and
// half2 are the function's name cut in two.
type family struct {
	lang  string
	ways  []string
	sinks []sink
}

func (f *family) programs() []string {
	var out []string
	for _, way := range f.ways {
		for _, s := range f.sinks {
			h := len(s.name) / 2
			r := strings.NewReplacer("«M»", s.module, "«F»", s.name, "«A»", s.args, "«1»", s.name[:h], "«2»", s.name[h:], "«m1»", s.module[:1], "«m2»", s.module[1:])
			out = append(out, r.Replace(way))
		}
	}
	return out
}

// decideCode judges a program as what a tool for code or -c and -e give.
func decideCode(lang, code string) Decision {
	var g Guardrail
	c := ShellContext(interpreterOf[lang]+" '"+strings.ReplaceAll(code, "'", `'\''`)+"'", State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/me"})
	return g.Decide(&c)
}

var interpreterOf = map[string]string{"python": "python3 -c", "node": "node -e", "perl": "perl -e", "ruby": "ruby -e", "php": "php -r", "lua": "lua -e"}

// testFamily holds that no program of a family goes through.
func testFamily(t *testing.T, f *family) {
	t.Helper()
	approved, list := 0, f.programs()
	for _, code := range list {
		if d := decideCode(f.lang, code); d.Disposition == Approved {
			if approved++; approved <= 20 {
				t.Errorf("approved: %s", code)
			}
		}
	}
	t.Logf("%s: %d of %d approved", f.lang, approved, len(list))
	if len(list) < 1000 {
		t.Errorf("only %d programs of %s", len(list), f.lang)
	}
}

// testHarmless holds that no harmless program asks but for those that mayAsk names.
func testHarmless(t *testing.T, lang string, list []string) {
	t.Helper()
	if len(list) == 0 {
		t.Errorf("no programs of %s", lang)
	}
	for _, code := range list {
		if d := decideCode(lang, code); d.Disposition != Approved && !mayAsk[code] {
			t.Errorf("asks: %s: %s", code, d.Reasons[0].Message)
		}
	}
}
