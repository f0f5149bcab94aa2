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
	done := tm.Work("finding windows")
	done()
	b.Reset()
	tm.print(&b)
	if !strings.HasSuffix(b.String(), "gbt:    1.500 s  of them finding windows, 1 times, all workers together\n") {
		t.Errorf("work of workers: %q", b.String())
	}
	b.Reset()
	tm.stages, tm.works = tm.stages[:0], nil
	tm.Stage("reading")
	tm.Stage("learning gates")
	tm.print(&b)
	if want := "gbt:    1.500 s  reading\ngbt:    1.500 s  learning gates\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
