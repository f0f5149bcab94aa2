package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how long work gets on, on standard error and only if that is
// a terminal. It is used from one goroutine. It implements distill.Progress.
type progress struct {
	out io.Writer // nil if nobody looks
	bar *progressbar.ProgressBar
}

// newProgress returns a progress display, or a silent one.
func newProgress(e *env, quiet bool) *progress {
	if quiet || e.terminal == nil {
		return &progress{}
	}
	return &progress{out: e.terminal}
}

// terminalOf is the terminal that a stream leads to, or nil.
func terminalOf(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Stage begins a stage of unknown length.
func (p *progress) Stage(name string) {
	if p.out == nil {
		return
	}
	p.Done()
	p.bar = progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(p.out), progressbar.OptionSetDescription("gbt: "+name),
		progressbar.OptionShowCount(), progressbar.OptionSpinnerType(14), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetElapsedTime(true))
}

// Add counts n more pieces of work in the stage. A display that cannot be
// drawn is no reason to stop working.
func (p *progress) Add(n int) {
	if p.bar != nil {
		_ = p.bar.Add(n)
	}
}

// Done ends the display.
func (p *progress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}
