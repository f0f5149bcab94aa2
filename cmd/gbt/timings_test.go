package main

import (
	"strings"
	"testing"
	"time"
)

func TestTimings(t *testing.T) {
	clock := time.Unix(100, 0)
	tm := newTimings(&progress{})
	tm.now = func() time.Time { clock = clock.Add(1500 * time.Millisecond); return clock }
	tm.Stage("reading")
	tm.Stage("learning gates")
	tm.Add(3)
	var b strings.Builder
	tm.print(&b)
	if want := "gbt:    1.500 s  reading\ngbt:    1.500 s  learning gates\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
