package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about TypeScript. Most of it is compiled into pages that others open, and counts
// as code that is compiled does; what a runner of this machine is told to start, and settings
// that a tool loads by their names, run here as JavaScript does, and count as that.

// typed says whether a file is TypeScript by its ending.
func typed(file string) bool {
	switch path.Ext(file) {
	case ".ts", ".mts", ".cts", ".tsx":
		return true
	}
	return false
}

// typedSettings says whether a file is TypeScript that tools load by its name: settings, and
// what sets tests up.
func typedSettings(file string) bool {
	base := path.Base(file)
	return typed(file) && !strings.HasSuffix(base, ".d.ts") && steers(base, "node")
}

// typeRunners are programs that run a file of TypeScript as it is (their READMEs; Node.js since
// 22.18, nodejs.org/api/typescript.html).
var typeRunners = []string{"bun", "deno", "esno", "jiti", "node", "ts-node", "ts-node-esm", "tsx", "vite-node"}

// startsTyped are the files of TypeScript that a run starts here.
func (c *Context) startsTyped(r *effect.Run) (files []string) {
	if !slices.ContainsFunc(r.Words[:min(len(r.Words), 4)], func(w string) bool { return isAmong(typeRunners, path.Base(w)) }) {
		return nil
	}
	for _, w := range r.Words[1:] {
		if typed(w) {
			files = append(files, c.places.Resolve(r.Cwd, w))
		}
	}
	return files
}

// runsTyped says whether a run of the call starts a file of TypeScript. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) runsTyped() bool {
	return slices.ContainsFunc(c.runs, func(r effect.Run) bool { return len(r.Words) > 0 && len(c.startsTyped(&r)) > 0 })
}

// typed judges files of TypeScript that a run starts and the session wrote as JavaScript.
func (f *follower) typed(r *effect.Run) {
	if len(r.Words) == 0 {
		return
	}
	for _, file := range f.c.startsTyped(r) {
		text, known := f.text(file)
		as := trimSuffix(file, path.Ext(file)) + ".js"
		if f.hit == "" && f.wrote(file) && !f.judged[file] && !(known && f.c.vetted(&effect.Written{Path: as, Text: text, Known: true})) {
			f.hit = file
		}
	}
}
