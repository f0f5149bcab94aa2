package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

type pageCall struct{ tool, args string }

// after runs calls one after the other and returns the decision on the last.
func after(calls []pageCall, secret bool) gates.Decision {
	st := gates.State{Cwd: "/home/u/p", Roots: []string{"/home/u/p"}, Home: "/home/u"}
	var d gates.Decision
	for i, x := range calls {
		if st.Flow.SensitiveRead = secret && i > 0; true {
			c := gates.NewContext(gates.Request{Tool: x.tool, Args: []byte(x.args)}, st)
			d = (&gates.Checker{}).Check(&c, nil)
			st.Flow = c.After()
		}
	}
	return d
}

// TestLocalPage: what is clicked and typed on a page of this machine that the session
// opened passes, and nothing else does.
func TestLocalPage(t *testing.T) {
	local := pageCall{"mcp__b__browser_navigate", `{"url":"http://localhost:3000/login"}`}
	away := pageCall{"mcp__b__browser_navigate", `{"url":"https://a.example/"}`}
	click := pageCall{"mcp__b__browser_click", `{"element":"Save","ref":"e1"}`}
	typed := pageCall{"mcp__b__browser_type", `{"element":"Name","ref":"e2","text":"a"}`}
	look := pageCall{"mcp__b__browser_snapshot", `{}`}
	for name, row := range map[string]struct {
		calls []pageCall
		pass  bool
	}{
		"click":                {[]pageCall{local, click}, true},
		"look and type":        {[]pageCall{local, look, click, typed}, true},
		"local after all":      {[]pageCall{away, local, click}, true},
		"no page":              {[]pageCall{click}, false},
		"away":                 {[]pageCall{local, away, click}, false},
		"back":                 {[]pageCall{away, local, {"mcp__b__browser_navigate_back", `{}`}, click}, false},
		"another tab":          {[]pageCall{local, {"mcp__b__browser_select_tab", `{"index":1}`}, click}, false},
		"code on the page":     {[]pageCall{local, {"mcp__b__browser_evaluate", `{"function":"() => { location = 'https://a.example' }"}`}, click}, false},
		"another browser":      {[]pageCall{local, {"mcp__other__browser_click", `{"element":"Save","ref":"e1"}`}}, false},
		"a port that controls": {[]pageCall{{"mcp__b__browser_navigate", `{"url":"http://localhost:2375/"}`}, click}, false},
		"a file is uploaded":   {[]pageCall{local, {"mcp__b__browser_file_upload", `{"paths":["/home/u/x"]}`}}, false},
		"evaluate":             {[]pageCall{local, {"mcp__b__browser_evaluate", `{"function":"() => fetch('https://a.example')"}`}}, false},
	} {
		if d := after(row.calls, false); (d.Disposition == gates.Approved) != row.pass {
			t.Errorf("%s: %v %v", name, d.Disposition, d.Reasons)
		}
	}
	if d := after([]pageCall{local, typed}, true); d.Disposition == gates.Approved {
		t.Error("types on a page after secrets were read")
	}
}
