package traverse

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// examinedIs is the one function that DONE comes from. Whoever changes it reads
// requirement H1 first, and says here what it is then.
const examinedIs = `func (s *Session) examined(findings []Finding) (End, string) {
	for _, f := range findings {
		if !f.Passed && !f.open {
			return Stalled, f.Reason
		}
	}
	for _, c := range s.checks {
		if !c.Executed || !c.Passed || c.At != s.changed || c.Vacuous {
			return Stalled, "check-not-executed:" + c.ID
		}
	}
	if !s.falsifiable() {
		if why, proved := s.unproven(); !proved {
			return Ended, why
		}
	}
	return proven, ""
}`

// unprovenIs is what the policy's own checks must be for examined to take them.
const unprovenIs = `func (s *Session) unproven() (why string, proved bool) {
	shown := false
	list, decides := s.p.view.Proofs(&s.guard.pos)
	mined := s.Mined()
	decides = decides && len(mined) == len(list)
	for _, m := range mined {
		c := s.minedAt(m.ID)
		if m.Why != "" || c == nil || !c.Executed || !c.Passed || !s.fresh(c) {
			return s.minedWhy(&m), false
		}
		shown = shown || m.Refuted && (m.calls && decides || !m.calls && c.Tried && !c.Vacuous)
		why = undecided(&m, c)
	}
	if shown {
		return "", true
	}
	return why, false
}`

// TestDoneHasOneSource: no code of this package but examined makes the value that
// stands for DONE, and no other package can, because neither the constant nor the field
// is exported (invariant 4). Each way around it, put into the package, is found.
func TestDoneHasOneSource(t *testing.T) {
	files := map[string]string{}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if data, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		} else if !strings.HasSuffix(name, "_test.go") {
			files[name] = string(data)
		}
	}
	if len(files) < 20 {
		t.Fatalf("only %d files: the guard matched next to nothing", len(files))
	}
	if found := doneSources(t, files); len(found) > 0 {
		t.Errorf("DONE comes from elsewhere too:\n%s", strings.Join(found, "\n"))
	}
	for _, mutant := range []string{
		`func cheat() Outcome { return Outcome{end: proven} }`,
		`func cheat(o *Outcome) { o.end = proven }`,
		`func cheat(o *Outcome) { o.end = End(2) }`,
		`func cheat() Outcome { return Outcome{end: 2} }`,
		`func cheat(o *Outcome) { o.end++ }`,
		`func cheat(o *Outcome) *End { return &o.end }`,
		`const mine = Ended + 1`,
		`func cheat() (e End) { e = 2; return e }`,
		`func (o *Outcome) UnmarshalJSON([]byte) error { return nil }`,
		`func (s *Session) Words() (End, string) { return s.examined(nil) }`,
		`func cheat() Outcome { return Outcome{proven, "", "", false, nil, false, ""} }`,
	} {
		files["mutant.go"] = "package traverse\n" + mutant
		if len(doneSources(t, files)) == 0 {
			t.Errorf("not found: %s", mutant)
		}
	}
	delete(files, "mutant.go")
	for from, to := range map[string]string{
		"c == nil || !c.Executed || ": "", "!c.Passed || !s.fresh": "!s.fresh", "|| !s.fresh(c)": "", "shown := false": "shown := true", "m.Refuted && (": "(", "m.calls && decides": "m.calls", "c.Tried && !c.Vacuous": "c.Tried",
	} {
		was := files["mined.go"]
		if files["mined.go"] = strings.Replace(was, from, to, 1); files["mined.go"] == was || len(doneSources(t, files)) == 0 {
			t.Errorf("not found: %q for %q", to, from)
		}
		files["mined.go"] = was
	}
	for from, to := range map[string]string{
		"if !c.Executed || ": "if ", "c.At != s.changed || ": "", "if !s.falsifiable() {": "if false {", "\treturn proven, \"\"": "\treturn proven, \"good\"",
	} {
		was := files["finish.go"]
		if files["finish.go"] = strings.Replace(was, from, to, 1); files["finish.go"] == was || len(doneSources(t, files)) == 0 {
			t.Errorf("not found: %q for %q", to, from)
		}
		files["finish.go"] = was
	}
}

// doneSources lists what may make DONE, but for examined.
func doneSources(t *testing.T, files map[string]string) []string {
	t.Helper()
	var out []string
	fset := token.NewFileSet()
	pins := map[string]string{"examined": examinedIs, "unproven": unprovenIs}
	for name, src := range files {
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			var b bytes.Buffer
			fn, _ := d.(*ast.FuncDecl)
			if fn != nil {
				fn.Doc = nil
				printer.Fprint(&b, fset, fn)
			}
			if fn != nil && pins[fn.Name.Name] == b.String() && pins[fn.Name.Name] != "" {
				delete(pins, fn.Name.Name)
				if fn.Name.Name == "examined" {
					continue
				}
			}
			out = append(out, doneIn(fset, d, fn)...)
		}
	}
	for name := range pins {
		out = append(out, name+" is another function than the one that this test knows")
	}
	slices.Sort(out)
	return out
}

// doneIn looks at one declaration: for the constant, for the field and for values of
// their type that come from numbers.
func doneIn(fset *token.FileSet, d ast.Decl, fn *ast.FuncDecl) []string {
	var out []string
	say := func(n ast.Node, what string) { out = append(out, fmt.Sprintf("%s: %s", fset.Position(n.Pos()), what)) }
	name, recv := "", ""
	if fn != nil {
		name = fn.Name.Name
		if fn.Recv != nil {
			recv = strings.TrimPrefix(typeName(fn.Recv.List[0].Type), "*")
		}
		if recv == "Outcome" && !slices.Contains([]string{"End", "Done", "MarshalJSON"}, name) || recv == "End" && !slices.Contains([]string{"String", "MarshalText"}, name) {
			say(fn, "a method of "+recv+" that this test does not know")
		}
		if fn.Type.Results != nil && name != "End" {
			for _, r := range fn.Type.Results.List {
				if typeName(r.Type) == "End" {
					say(fn, "a function that makes an End")
				}
			}
		}
	}
	reads := recv == "Outcome"
	ast.Inspect(d, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Ident:
			tables := fn == nil || name == "Done" && recv == "Outcome"
			if x.Name == "proven" && !tables {
				say(x, "the constant proven")
			}
		case *ast.SelectorExpr:
			if x.Sel.Name == "examined" && name != "Finish" {
				say(x, "a caller of examined")
			}
			if x.Sel.Name == "end" && !reads && name != "Finish" {
				say(x, "the field end")
			}
		case *ast.KeyValueExpr:
			if k, ok := x.Key.(*ast.Ident); ok && k.Name == "end" {
				say(x, "the field end")
			}
		case *ast.CallExpr:
			if typeName(x.Fun) == "End" && len(x.Args) == 1 {
				say(x, "a conversion to End")
			}
		case *ast.ValueSpec:
			if typeName(x.Type) == "End" && !(len(x.Names) == 1 && x.Names[0].Name == "Stalled") {
				say(x, "a variable or constant of type End")
			}
			for _, v := range x.Values {
				if b, ok := v.(*ast.BinaryExpr); ok && (typeName(b.X) == "Ended" || typeName(b.X) == "Stalled") {
					say(x, "a constant made from an End")
				}
			}
		}
		return true
	})
	return out
}

func typeName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return "*" + typeName(x.X)
	}
	return ""
}

// TestDoneOfAllCombinations: of everything that can be true of two checks, only those
// in which both ran after the last change and passed are DONE, and only with one that
// could fail.
func TestDoneOfAllCombinations(t *testing.T) {
	p := repair().open(t)
	bit := func(n, i int) bool { return n>>i&1 == 1 }
	var ends [3]int
	for n := range 1 << 10 {
		s := p.Start(Task{ID: "d", Text: fixTask, Checks: []Check{{ID: "a", Text: "pytest -q", Holds: bit(n, 8)}, {ID: "b", Text: "test -e x", Holds: bit(n, 9)}}}, env)
		want := !(bit(n, 8) && bit(n, 9))
		for i := range s.checks {
			c := &s.checks[i]
			c.Executed, c.Passed, c.Vacuous = bit(n, 4*i), bit(n, 4*i+1), bit(n, 4*i+2)
			if c.At = s.changed; bit(n, 4*i+3) {
				c.At--
			}
			want = want && c.Executed && c.Passed && !c.Vacuous && c.At == s.changed
		}
		out := s.Finish()
		if ends[out.End()]++; out.Done() != want {
			t.Fatalf("%b: %s, want done %v", n, out.End(), want)
		}
	}
	if ends[proven] != 3 || ends[Stalled] == 0 {
		t.Errorf("ends %v", ends)
	}
}
