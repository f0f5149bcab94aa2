package main

import (
	"fmt"
	"io"
	"time"

	"github.com/gbt-policy/gbt/distill"
)

// timings notes how long each stage of a distillation took. It goes to standard
// error on request only: outputs never hold a time.
type timings struct {
	distill.Progress
	stages []stageTime
	now    func() time.Time
}

type stageTime struct {
	name  string
	begun time.Time
}

func newTimings(p distill.Progress) *timings { return &timings{Progress: p, now: time.Now} }

// Stage begins a stage.
func (t *timings) Stage(name string) {
	t.stages = append(t.stages, stageTime{name, t.now()})
	t.Progress.Stage(name)
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
}
