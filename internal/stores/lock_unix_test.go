//go:build unix

package stores

import "testing"

// TestOneDirAtATime: two of one folder would both find the revision they know and
// both save; the second one to come is told, and gets the folder once it is free.
func TestOneDirAtATime(t *testing.T) {
	name := t.TempDir()
	first := must(OpenDir(name))
	if _, err := OpenDir(name); err == nil {
		t.Fatal("a folder was opened twice")
	}
	rev := must(first.Save("x", []byte("one"), ""))
	for range 2 { // closing again is no harm
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
	}
	second := must(OpenDir(name))
	defer second.Close()
	if _, err := second.Save("x", []byte("two"), rev); err != nil {
		t.Error(err)
	}
	if ids, err := second.List(); len(ids) != 1 || err != nil {
		t.Errorf("the lock is taken for a session: %q %v", ids, err)
	}
}
