package trust

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
)

// pub writes the public key of a seed.
func pub(t *testing.T, dir string, seed byte) string {
	t.Helper()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize)).Public().(ed25519.PublicKey)
	return file(t, dir, "key"+string('a'+rune(seed))+".pub", string(artifacts.MarshalPublicKey(key)))
}

func file(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestOptions(t *testing.T) {
	dir := t.TempDir()
	one, two := pub(t, dir, 1), pub(t, dir, 2)
	junk := file(t, dir, "junk", "junk")
	for _, c := range []struct {
		name  string
		o     Options
		usage bool
		want  string // of the error
	}{
		{"nothing", Options{}, false, ""},
		{"an empty name", Options{Keys: []string{""}}, false, ""},
		{"two keys, both needed", Options{Keys: []string{one, two}, Need: 2}, false, ""},
		{"one key twice, two needed", Options{Keys: []string{one, one}, Need: 2}, true, "2 different keys must have signed and 1 are trusted"},
		{"a need and no key", Options{Need: 1}, true, "1 different keys must have signed and 0 are trusted"},
		{"more than a policy can have", Options{Keys: []string{one}, Need: 9}, true, "a policy has 1 to 8"},
		{"a negative need", Options{Keys: []string{one}, Need: -1}, true, "a policy has 1 to 8"},
		{"no such key", Options{Keys: []string{one + "x"}}, false, "trusted key: "},
		{"not a key", Options{Keys: []string{junk}}, false, "gbt keygen writes keys as NAME.pub"},
		{"a memory that is none", Options{Seen: junk}, false, "damaged: line 1"},
		{"a memory that can't be read", Options{Seen: dir}, false, dir},
	} {
		_, err := New(c.o, filepath.Join(dir, "p.gbt"))
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || errors.Is(err, ErrUsage) != c.usage) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// opened is a door, and what it is told.
func opened(t *testing.T, o Options, policy string, sequence uint64) (*Door, bool) {
	t.Helper()
	d, err := New(o, policy)
	if err != nil {
		t.Fatal(err)
	}
	back, err := d.Opened(&artifacts.Info{Sequence: sequence})
	if err != nil {
		t.Fatal(err)
	}
	return d, back
}

// TestMemory follows one memory through the policies that it sees.
func TestMemory(t *testing.T) {
	dir := t.TempDir()
	policy := filepath.Join(dir, "p.gbt")
	o := Options{Keys: []string{pub(t, dir, 1)}}
	if d, back := opened(t, o, policy, 3); d.Trust.MinSequence != 0 || back {
		t.Errorf("at first: least %d, back %v", d.Trust.MinSequence, back)
	}
	if d, _ := opened(t, o, policy, 5); d.Trust.MinSequence != 3 {
		t.Errorf("after 3: least %d", d.Trust.MinSequence)
	}
	more := o
	more.MinSequence = 9
	if d, err := New(more, policy); err != nil || d.Trust.MinSequence != 9 {
		t.Errorf("a higher least sequence: %+v %v", d, err)
	}
	o.AllowRollback = "5 is \"bad\"\nin two ways"
	if d, back := opened(t, o, policy, 4); d.Trust.MinSequence != 0 || !back {
		t.Errorf("a rollback: least %d, back %v", d.Trust.MinSequence, back)
	}
	if _, back := opened(t, o, policy, 6); back {
		t.Error("a newer policy is taken for a rollback")
	}
	data, err := os.ReadFile(policy + SeenSuffix)
	if want := "gbt seen 1\nsequence 6\nrollback 5 4 \"5 is \\\"bad\\\"\\nin two ways\"\n"; err != nil || string(data) != want {
		t.Errorf("remembered %q (error %v), want %q", data, err, want)
	}
	o.AllowRollback = ""
	if d, _ := opened(t, o, policy, 6); d.Trust.MinSequence != 6 {
		t.Errorf("after all: least %d", d.Trust.MinSequence)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (error %v)", left, err)
	}
}

// ring writes a key ring: statements of lines, and the seeds that sign each.
func ring(t *testing.T, dir, name string, parts ...any) string {
	t.Helper()
	var data []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			data = append(data, p...)
		case byte:
			var err error
			if data, err = artifacts.SignRing(data, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{p}, ed25519.SeedSize))); err != nil {
				t.Fatal(err)
			}
		}
	}
	return file(t, dir, name, string(data))
}

func addLine(seed byte) string {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize)).Public().(ed25519.PublicKey)
	return "add " + base64.StdEncoding.EncodeToString(key) + " from 1\n"
}

// TestRings follows a ring that grows, is cut and is replaced under one name.
func TestRings(t *testing.T) {
	dir := t.TempDir()
	policy := filepath.Join(dir, "p.gbt")
	head := artifacts.RingHead + "\nneed 1\n"
	name := filepath.Join(dir, "r")
	o := Options{Keys: []string{name}}
	small := func() { ring(t, dir, "r", head+addLine(1), byte(1)) }
	grown := func() { ring(t, dir, "r", head+addLine(1), byte(1), addLine(2), byte(1)) }
	other := func() { ring(t, dir, "r", head+addLine(3), byte(3)) }
	key := func() { file(t, dir, "r", readFile(t, pub(t, dir, 3))) }
	small()
	root := door(t, o, policy).Trust.Rings[0].Root
	for i, step := range []struct {
		put    func()
		reason string
		good   bool
	}{
		{small, "", true}, {small, "", true}, {grown, "", true}, {small, "", false}, {other, "", false}, {key, "", false}, {grown, "", true},
		{other, "why", true}, {grown, "", false}, {other, "", true},
	} {
		step.put()
		o.AllowRollback = step.reason
		d, err := New(o, policy)
		if (err == nil) != step.good || err != nil && !errors.Is(err, ErrRing) {
			t.Fatalf("step %d: %v, want good %v", i+1, err, step.good)
		}
		if err == nil {
			if back, err := d.Opened(&artifacts.Info{Sequence: 1}); err != nil || back != (step.reason != "") {
				t.Errorf("step %d: back %v, error %v", i+1, back, err)
			}
		}
	}
	pinned := Options{Keys: []string{name + "#" + root}, Seen: Off}
	if _, err := New(pinned, policy); !errors.Is(err, ErrRing) || !strings.Contains(err.Error(), root+" is trusted") {
		t.Errorf("another ring than the pinned one: %v", err)
	}
	small()
	if d := door(t, pinned, policy); len(d.Trust.Rings) != 1 {
		t.Errorf("the pinned ring: %+v", d.Trust)
	}
	if files := pinned.Files(policy); len(files) != 1 || files[0] != name {
		t.Errorf("files to protect: %v", files)
	}
}

// door is one that opens.
func door(t *testing.T, o Options, policy string) *Door {
	t.Helper()
	d, err := New(o, policy)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestNoMemory: without keys nothing is remembered, nor where it is off.
func TestNoMemory(t *testing.T) {
	dir := t.TempDir()
	policy := filepath.Join(dir, "p.gbt")
	for _, o := range []Options{{}, {Keys: []string{pub(t, dir, 1)}, Seen: Off}} {
		opened(t, o, policy, 3)
		if _, err := os.Stat(policy + SeenSuffix); err == nil {
			t.Errorf("%+v: remembered", o)
		}
	}
}

// TestNowhere: a named memory that can't be written is an error.
func TestNowhere(t *testing.T) {
	d, err := New(Options{Seen: filepath.Join(t.TempDir(), "none", "seen")}, "p.gbt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Opened(&artifacts.Info{Sequence: 1}); err == nil || !strings.Contains(err.Error(), "can't remember") {
		t.Errorf("error %v", err)
	}
}

// TestForgets: a policy opens where nobody may write beside it, and the door says that
// nothing is remembered there.
func TestForgets(t *testing.T) {
	dir := t.TempDir()
	o := Options{Keys: []string{pub(t, dir, 1)}}
	if d, _ := opened(t, o, filepath.Join(dir, "p.gbt"), 3); d.Forgets() != "" {
		t.Errorf("a memory that was written: %s", d.Forgets())
	}
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		closed = "/sys" // root may write in its own folders whatever their mode says
	}
	if d, _ := opened(t, o, filepath.Join(closed, "q.gbt"), 3); !strings.Contains(d.Forgets(), "q.gbt.seen can't be written") {
		t.Errorf("a memory that can't be written: %q", d.Forgets())
	}
}

func TestReason(t *testing.T) {
	for reason, good := range map[string]bool{"": false, " \n": false, "why": true, "\xff": false, strings.Repeat("x", maxReason+1): false} {
		if err := CheckReason(reason); (err == nil) != good {
			t.Errorf("%.20q: %v", reason, err)
		}
	}
}

// FuzzMemory reads any bytes: what is read is written back as it was.
func FuzzMemory(f *testing.F) {
	f.Add([]byte("gbt seen 1\nsequence 7\nrollback 9 7 \"why\"\n"))
	f.Add([]byte("gbt seen 1\nsequence 07\n"))
	f.Add([]byte("gbt seen 1\nsequence 7\nring " + strings.Repeat("a", 64) + " 80 " + strings.Repeat("b", 64) + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := parseMemory(data); err == nil && m.text() != string(data) {
			t.Errorf("%q is written back as %q", data, m.text())
		}
	})
}
