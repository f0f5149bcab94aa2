package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gbt-policy/gbt/distill"
)

// timings notes how long each stage of a distillation took. It goes to standard
// error on request only: outputs never hold a time.
type timings struct {
	distill.Progress
	stages []stageTime
	now    func() time.Time

	mu    sync.Mutex // workers report to Work
	works map[string]*workTime
}

// workTime is what several workers spent on one kind of work, together.
type workTime struct {
	spent time.Duration
	times int
}

type stageTime struct {
	name  string
	begun time.Time
}

func newTimings(p distill.Progress) *timings {
	return &timings{Progress: p, now: time.Now, works: map[string]*workTime{}}
}

// Stage begins a stage.
func (t *timings) Stage(name string) {
	t.stages = append(t.stages, stageTime{name, t.now()})
	t.Progress.Stage(name)
}

// Work times a piece of work within a stage. It implements distill.Worker.
func (t *timings) Work(name string) func() {
	begun := t.now()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		w := t.works[name]
		if w == nil {
			w = &workTime{}
			t.works[name] = w
		}
		w.spent += t.now().Sub(begun)
		w.times++
	}
}

// print ends the last stage and writes what each took.
func (t *timings) print(w io.Writer) {
	end := t.now()
	for i, s := range t.stages {
		until := end
		if i+1 < len(t.stages) {
			until = t.stages[i+1].begun
		}
		fmt.Fprintf(w, "gbt: %8.3f s  %s\n", until.Sub(s.begun).Seconds(), s.name)
	}
	for _, name := range slices.Sorted(maps.Keys(t.works)) {
		fmt.Fprintf(w, "gbt: %8.3f s  of them %s, %d times, all workers together\n", t.works[name].spent.Seconds(), name, t.works[name].times)
	}
}
