package segment

import (
	"reflect"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestChangeOf has results as the programs named in shown.go print them.
func TestChangeOf(t *testing.T) {
	type d = corpora.Delta
	ran := d{Kind: corpora.DeltaSpawn, Observed: true}
	tests := []struct {
		name, tool, args, result, fault string
		want                            []d
		coarse                          effect.Delta
		basis                           Basis
	}{
		{"a file is created", "str_replace_editor", `{"command":"create","path":"/w/a","file_text":"1\n2\n"}`, "File created successfully at: /w/a", "",
			[]d{{Kind: corpora.DeltaFileCreate, Resource: "/w/a", Size: 2, Observed: true}}, effect.DeltaWrite, BasisObserved},
		{"a file is edited", "Edit", `{"file_path":"/w/a","old_string":"x","new_string":"y"}`, "The file /w/a has been updated. Here's the result", "",
			[]d{{Kind: corpora.DeltaFileModify, Resource: "/w/a", Observed: true}}, effect.DeltaWrite, BasisObserved},
		{"a patch names its files", "apply_patch", `{"input":"*** Begin Patch"}`, "Success. Updated the following files:\nA a.go\nD b.go\n", "",
			[]d{{Kind: corpora.DeltaFileCreate, Resource: "a.go", Observed: true}, {Kind: corpora.DeltaFileDelete, Resource: "b.go", Observed: true}}, effect.DeltaWrite, BasisObserved},
		{"an edit is refused", "edit", `{"command":"edit 1:1\nx"}`, "Your proposed edit has introduced new syntax error(s).", "", nil, effect.DeltaNone, BasisObserved},
		{"an edit shows text that speaks of a refusal", "str_replace_editor", `{"command":"str_replace","path":"/w/a"}`,
			"The file /w/a has been edited. Here's the result of running `cat -n`:\n     1\traise KeyError('Text not found')\nNo changes to make\n", "",
			[]d{{Kind: corpora.DeltaFileModify, Resource: "/w/a", Observed: true}}, effect.DeltaWrite, BasisObserved},
		{"an edit that nothing is said of", "Write", `{"file_path":"/w/a","content":"x"}`, "", "",
			[]d{{Kind: corpora.DeltaFileModify, Resource: "/w/a"}}, effect.DeltaWrite, BasisNominal},
		{"tests run", "bash", `{"command":"python x.py"}`, "=== 3 passed, 1 failed in 0.12s ===", "",
			[]d{{Kind: corpora.DeltaTest, Observed: true}, ran}, effect.DeltaRun, BasisObserved},
		{"go tests run", "bash", `{"command":"make check"}`, "ok  \texample.org/a\t0.01s", "",
			[]d{{Kind: corpora.DeltaTest, Observed: true}, ran}, effect.DeltaRun, BasisObserved},
		{"a page that speaks of tests was only read", "bash", `{"command":"cat log"}`, "=== 3 passed in 0.12s ===", "", nil, effect.DeltaNone, BasisNone},
		{"that it ran says nothing of what it wrote", "bash", `{"command":"touch a"}`, "ok", "",
			[]d{ran, {Kind: corpora.DeltaFileModify}}, effect.DeltaWrite, BasisNominal},
		{"a deletion is told", "bash", `{"command":"rm -v a"}`, "removed 'a'", "",
			[]d{{Kind: corpora.DeltaFileDelete, Resource: "a", Observed: true}, ran}, effect.DeltaDelete, BasisObserved},
		{"output never lowers what a program may do", "bash", `{"command":"x=(1"}`, "mkdir: created directory 'a'", "",
			[]d{{Kind: corpora.DeltaFileCreate, Resource: "a", Observed: true}, ran}, effect.DeltaUnknown, BasisNominal},
		{"code ran", "python", `{"code":"print(1)"}`, "1", "", []d{{Kind: corpora.DeltaInterpreter, Observed: true}}, effect.DeltaRun, BasisObserved},
		{"the browser says where it is", "browser_navigate", `{"url":"http://a.example"}`, "- Page URL: http://b.example/x\n- Page Title: B", "",
			[]d{{Kind: corpora.DeltaNavigate, Resource: "http://b.example/x", Observed: true}}, effect.DeltaNavigate, BasisObserved},
		{"a mail is confirmed", "send_email", `{"to":"x@example.org"}`, "Message sent.", "",
			[]d{{Kind: corpora.DeltaSend, Resource: "x@example.org", Observed: true}}, effect.DeltaSend, BasisObserved},
		{"a record comes back", "create_event", `{"title":"Standup"}`, "id: 7\ntitle: Standup", "",
			[]d{{Kind: corpora.DeltaRecord, Observed: true}}, effect.DeltaWrite, BasisObserved},
		{"a refusal repeats the value", "create_event", `{"title":"Standup"}`, "Event Standup could not be created", "",
			[]d{{Kind: corpora.DeltaRecord}}, effect.DeltaWrite, BasisNominal},
		{"an error of the tool", "delete_event", `{"id":"7"}`, "", "no such event", nil, effect.DeltaNone, BasisObserved},
	}
	for _, tt := range tests {
		s := corpora.Step{Tool: tt.tool, Args: tt.args, Result: tt.result, Error: tt.fault, Status: corpora.StatusExecuted}
		got := ChangeOf(&s)
		if !reflect.DeepEqual(got.Deltas, tt.want) || got.Coarse != tt.coarse || got.Basis != tt.basis {
			t.Errorf("%s: %+v, want %+v %v %v", tt.name, got, tt.want, tt.coarse, tt.basis)
		}
	}
}

// TestRefusedCallsEndNoMacro: in the reference profile a macro ends at an observed
// change, and a call that changed nothing ends none.
func TestRefusedCallsEndNoMacro(t *testing.T) {
	edit := corpora.Step{Tool: "Edit", Args: `{"file_path":"/w/a"}`, Status: corpora.StatusExecuted, Result: "The file /w/a has been updated."}
	refused := edit
	refused.Result = "No replacement was performed"
	for n, steps := range map[int][]corpora.Step{2: {edit, edit}, 1: {refused, edit}} {
		e := &corpora.Episode{Steps: steps}
		path := Segment(e, Reference)
		if changes, observed := path.Bases(); len(path.Macros) != n || changes != 2 || observed != 2 {
			t.Errorf("%d macros, want %d; %d changes, %d observed", len(path.Macros), n, changes, observed)
		}
	}
}

// TestSensitiveReadsAreHighRisk is the second half of requirement C4.
func TestSensitiveReadsAreHighRisk(t *testing.T) {
	failed := shell("cat ~/.ssh/id_rsa")
	failed.Error = "no such file"
	tests := []struct {
		name string
		step corpora.Step
		hard bool
		risk uint8
	}{
		{"a plain read", shell("cat a"), false, 0},
		{"a key in a shell", shell("cat ~/.ssh/id_rsa"), true, 2},
		{"a key in a file tool", corpora.Step{Tool: "Read", Args: `{"file_path":"/home/u/.ssh/id_rsa"}`, Status: corpora.StatusExecuted}, true, 2},
		{"one that showed nothing", failed, false, 0},
	}
	for _, tt := range tests {
		e := &corpora.Episode{Steps: []corpora.Step{shell("ls"), tt.step}}
		path := Segment(e, Default)
		m := path.Macros[len(path.Macros)-1]
		if m.Delta != effect.DeltaNone || m.Hard != tt.hard || m.Risk() != tt.risk {
			t.Errorf("%s: %+v, risk %d", tt.name, m, m.Risk())
		}
		if s := Stable(e, &path, Default); s.Tested != tt.hard {
			t.Errorf("%s: tested for stability %v", tt.name, s.Tested)
		}
	}
}
