package logs

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
	"github.com/gbt-policy/gbt/internal/corpora/parquet"
)

func episodesOf(tb testing.TB, o Options, paths ...string) (out []*corpora.Episode) {
	tb.Helper()
	for r := range Open(paths, o).Records(context.Background()) {
		if r.Episode != nil {
			out = append(out, r.Episode)
		}
	}
	if len(out) == 0 {
		tb.Fatal("no episodes")
	}
	return out
}

func encode(tb testing.TB, eps []*corpora.Episode) []byte {
	tb.Helper()
	var b bytes.Buffer
	w, err := parquet.NewWriter(&b)
	if err != nil {
		tb.Fatal(err)
	}
	for _, ep := range eps {
		if err := w.Write(ep); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestRoundTrip writes all episodes to Parquet and reads them back: equal, and
// the same bytes for any number of workers.
func TestRoundTrip(t *testing.T) {
	t.Run("fixtures", func(t *testing.T) { roundTrip(t, episodesOf(t, Options{Workers: 1}, "testdata/in"), "testdata/in") })
	t.Run("shared", func(t *testing.T) {
		path := corporatest.Shared(t, "corpora")
		_, records := sharedRecords()
		var eps []*corpora.Episode
		for _, r := range records {
			if r.Episode != nil {
				eps = append(eps, r.Episode)
			}
		}
		roundTrip(t, eps, path)
	})
}

func roundTrip(t *testing.T, want []*corpora.Episode, path string) {
	data := encode(t, want)
	f, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for ep, err := range f.Episodes() {
		if err != nil {
			t.Fatal(err)
		}
		if i < len(want) && !reflect.DeepEqual(ep, want[i]) {
			t.Fatalf("episode %d\n got %+v\nwant %+v", i, ep, want[i])
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("%d episodes came back of %d", i, len(want))
	}
	if !bytes.Equal(data, encode(t, episodesOf(t, Options{Workers: 5}, path))) {
		t.Error("more workers gave other bytes")
	}
}

// TestOrderOfNamesDoesNotMatter: the same logs named in any order, and whole
// or in parts, are the same episodes.
func TestOrderOfNamesDoesNotMatter(t *testing.T) {
	parts := []string{"testdata/in/agentdojo", "testdata/in/chat", "testdata/in/claude", "testdata/in/openhands-v1", "testdata/in/openhands"}
	want := encode(t, episodesOf(t, Options{}, parts...))
	slices.Reverse(parts)
	if !bytes.Equal(want, encode(t, episodesOf(t, Options{}, append(parts, "testdata/in/chat/one.json")...))) {
		t.Error("another order of names gave other bytes")
	}
}

// TestLayoutsAreListed: every format of an episode is a layout that Layouts
// describes, and every layout has a fixture.
func TestLayoutsAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, l := range Layouts() {
		if l.Name == "" || l.Title == "" || l.Fields == 0 || listed[l.Name] {
			t.Errorf("layout %+v", l)
		}
		listed[l.Name] = true
	}
	seen := map[string]bool{}
	for _, ep := range episodesOf(t, Options{}, "testdata/in") {
		if !listed[ep.Format] {
			t.Errorf("%s has the format %q, which is not listed", ep.ID, ep.Format)
		}
		seen[ep.Format] = true
	}
	for name := range listed {
		if !seen[name] && name != "gbt-episodes" {
			t.Errorf("no fixture for the layout %s", name)
		}
	}
}

// TestFieldsAreTrue: what a layout says it cannot fill, its episodes do not
// have.
func TestFieldsAreTrue(t *testing.T) {
	fields := map[string]Field{}
	for _, l := range Layouts() {
		fields[l.Name] = l.Fields
	}
	for _, ep := range episodesOf(t, Options{}, "testdata/in") {
		if extra := filled(ep) &^ fields[ep.Format]; extra != 0 {
			t.Errorf("%s (%s) has %v, which the layout says it lacks", ep.ID, ep.Format, extra.Names())
		}
	}
}

// filled is which fields an episode has.
func filled(ep *corpora.Episode) Field {
	var f Field
	set := func(is bool, field Field) {
		if is {
			f |= field
		}
	}
	set(ep.Model != "", HasModel)
	set(len(ep.Tools) > 0, HasTools)
	set(ep.Parent != "", HasParent)
	set(ep.Final != "", HasFinal)
	set(ep.Outcome != corpora.OutcomeUnknown, HasOutcome)
	set(ep.Safety != corpora.SafetyUnknown, HasSafety)
	set(ep.TokensIn+ep.TokensOut > 0, HasTokens)
	for i := range ep.Steps {
		s := &ep.Steps[i]
		set(s.CallID != "", HasCallID)
		set(s.Args != "{}", HasArgs)
		set(s.Text != "", HasText)
		set(s.Heard != "", HasHeard)
		set(s.Result != "", HasResult)
		set(s.Error != "" && s.Status != corpora.StatusBlocked, HasError)
		set(s.HasExit, HasExit)
		set(s.Status == corpora.StatusBlocked, HasBlocked)
		set(s.Cwd != "", HasCwd)
		set(len(s.Deltas) > 0, HasDeltas)
		set(s.Start+s.End > 0, HasTimes)
		set(s.TokensIn+s.TokensOut > 0, HasTokens)
	}
	return f
}
