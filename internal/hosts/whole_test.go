package hosts

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/names"
)

// TestNothingIsMissing: what every host must say. A field that is left out does
// not fail by itself: it is a host that can't be installed, or one that doctor
// can't try.
func TestNothingIsMissing(t *testing.T) {
	must := []string{"Name", "Title", "Events", "Limits", "eventKey", "sessionKey", "decode", "encode", "read"}
	for _, h := range all {
		v := reflect.ValueOf(*h)
		for _, name := range must {
			if v.FieldByName(name).IsZero() {
				t.Errorf("%s: %s is missing", h.Name, name)
			}
		}
		s, c := h.Settings, h.Samples
		if s.User == "" || s.Project == "" {
			t.Errorf("%s: a settings file has no path", h.Name)
		}
		if s.Whole == nil && (s.Element == nil || s.Elements == nil) {
			t.Errorf("%s: nobody knows what stands in its settings", h.Name)
		}
		for _, w := range []*Settings{&h.Settings, h.Analyzer} {
			if w != nil && w.Whole != nil && strings.Count(*w.Whole, `["HOOK"]`) != 1 {
				t.Errorf("%s: a template has no place for the hook", h.Name)
			}
		}
		if c.Call == nil || c.Shell.Name == "" || c.Shell.Key == "" || c.Read.Name == "" || c.Read.Key == "" {
			t.Errorf("%s: doctor's samples are not complete", h.Name)
		}
		if tr := h.Trust; tr != nil && (tr.Hint == "" || tr.Dir == "" || tr.File == "" || tr.Noted == nil || tr.Missing == nil) {
			t.Errorf("%s: what it wants trusted is not complete", h.Name)
		}
	}
}

// TestEventsFit: the list of events is the one that is decoded, and what doctor
// writes for each is read as that event.
func TestEventsFit(t *testing.T) {
	for _, h := range all {
		if !h.Events[0].Decides() {
			t.Errorf("%s: the first event decides nothing", h.Name)
		}
		for _, k := range h.Events {
			if k.End {
				e, err := h.DecodeEnd([]byte(h.SampleEvent(k.Name, "/w")))
				if err != nil || h.Ends == nil || e.Session != sampled || e.State.Cwd != "/w" || e.Broken || e.Again || !h.IsEnd([]byte(h.SampleEvent(k.Name, "/w"))) {
					t.Errorf("%s: %s is not read back: %+v, %v", h.Name, k.Name, e, err)
				}
				continue
			}
			if !k.Decides() {
				e, err := h.DecodeEvent([]byte(h.SampleEvent(k.Name, "/w")))
				if err != nil || (k.Prompt == "") != (e.Prompt == "") || len(k.Results) > 0 && len(e.Results) == 0 || e.Session != sampled {
					t.Errorf("%s: %s is not read back: %+v, %v", h.Name, k.Name, e, err)
				}
				if k.Of != "" && !slices.ContainsFunc(h.Events, func(b EventKind) bool { return b.Name == k.Of && b.Decides() }) {
					t.Errorf("%s: %s comes after %q, which is no event", h.Name, k.Name, k.Of)
				}
				continue
			}
			in, err := h.Decode([]byte(h.SampleCall(k.Name, "/w", h.Samples.Shell, "ls")))
			if k.Sees == FileReads {
				in, err = h.Decode([]byte(h.SampleCall(k.Name, "/w", h.Samples.Read, "/w/a")))
			}
			if err != nil || in.Event != k.Name || in.Session != sampled || h.CanAsk(in) != k.Asks {
				t.Errorf("%s: %s is not read back: %+v, %v", h.Name, k.Name, in, err)
			}
		}
	}
}

// TestDocumented: the manual has a section for every host, and names its file and
// the events after a call.
func TestDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/hooks.md")
	if err != nil {
		t.Fatal(err)
	}
	manual := string(data)
	for _, h := range all {
		var after []string
		end := "\n| " + h.Title + " | none |" // of its ends
		for _, k := range h.Events {
			if k.End && !k.ByHand {
				end = "\n| " + h.Title + " | " + k.Name + " |"
			}
			if !k.Decides() && !k.End {
				after = append(after, k.Name)
			}
		}
		for _, want := range []string{
			"\n## " + h.Title + "\n", "gbt hook install " + h.Name, "\n| " + h.Title + " | " + h.Events[0].Name,
			end, "`" + h.Settings.Project + "`", "\n| " + h.Title + " | " + strings.Join(after, ", "),
		} {
			if !strings.Contains(manual, want) {
				t.Errorf("docs/hooks.md does not say %q", want)
			}
		}
	}
}

// TestSettingsAreGuarded: gates holds the settings of every host for files that
// an agent must not change unasked. Gates knows no hosts, so it has a list of its
// own (names.Guarded).
func TestSettingsAreGuarded(t *testing.T) {
	for _, h := range all {
		for _, s := range []*Settings{&h.Settings, h.Analyzer} {
			if s == nil {
				continue
			}
			for _, name := range []string{s.Project, s.Local} {
				if name != "" && !names.Guarded(name) {
					t.Errorf("%s: an agent may change %s; add its folder to guardedNames in internal/gates/names", h.Name, name)
				}
			}
		}
	}
}
