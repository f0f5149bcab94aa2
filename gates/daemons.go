package gates

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file finds what the words and variables of a command that is left running say of it:
// that it goes on by itself, and on which port it is to serve.

// portVariables are variables by which servers are told the port that they serve on, by
// their manuals; addressVariables those by which they are told addresses.
var (
	portVariables    = [...]string{"PORT", "ASPNETCORE_HTTP_PORTS", "FLASK_RUN_PORT", "GRADIO_SERVER_PORT", "NITRO_PORT", "NUXT_PORT", "QUARKUS_HTTP_PORT", "SERVER_PORT", "STREAMLIT_SERVER_PORT", "UVICORN_PORT"}
	addressVariables = [...]string{"ASPNETCORE_URLS", "DOTNET_URLS"}
)

// portsGiven are the entries of Flow.Own for the ports that variables of the call give to
// what it leaves running, of its first n runs, where nobody serves on them before the call:
// else what the call starts would end, and the other one be stopped in its place.
func (c *Context) portsGiven(n int) (out []string) {
	if c.free == nil || c.after {
		return nil
	}
	add := func(port string) {
		if p, err := strconv.ParseUint(port, 10, 16); err == nil && p != 0 && c.free(uint16(p)) {
			out = append(out, serves+port)
		}
	}
	for i := range c.runs[:min(n, len(c.runs))] {
		r := &c.runs[i]
		if !c.leftRunning(r) {
			continue
		}
		for _, v := range r.Values {
			name, value, _ := cutAt(v, "=")
			switch {
			case isAmong(portVariables[:], name):
				add(value)
			case isAmong(addressVariables[:], name):
				for a := range strings.SplitSeq(value, ";") {
					add(trimSuffix(a[lastByte(a, ':')+1:], "/"))
				}
			}
		}
	}
	return out
}

// ofDaemon stands behind begun before the file in which a server keeps its number that went
// into the background by itself.
const ofDaemon = "daemon "

// daemons are such servers among the first n runs of the call, where that file is not there
// yet: one that is there may be that of another one, which they leave as it is.
func (c *Context) daemons(n int) (out []string) {
	for i := range c.runs[:min(n, len(c.runs))] {
		r := &c.runs[i]
		file := daemon(r.Words)
		if file == "" || c.after || r.Contained || remote(r) || mark.Has(r.Cwd) {
			continue
		}
		if file = c.places.Resolve(r.Cwd, file); c.isNew(file) {
			out = append(out, ofDaemon+file)
		}
	}
	return out
}

// daemon is the file with its number of a server of Rails that goes on by itself (rails
// server --help: -d, --daemon, -P, --pid); empty for others.
func daemon(words []string) (file string) {
	if len(words) > 2 && path.Base(words[0]) == "bundle" && words[1] == "exec" {
		words = words[2:]
	}
	if len(words) < 3 || path.Base(words[0]) != "rails" || words[1] != "s" && words[1] != "server" {
		return ""
	}
	file = "tmp/pids/server.pid"
	detached := false
	for i, w := range words {
		name, value, attached := cutAt(w, "=")
		switch {
		case w == "-d" || w == "--daemon":
			detached = true
		case name == "-P" || name == "--pid":
			if file = value; !attached && i+1 < len(words) {
				file = words[i+1]
			}
		}
	}
	if !detached || mark.Has(file) {
		return ""
	}
	return file
}

// leftRunning says whether a run goes on in the background on this machine.
func (c *Context) leftRunning(r *effect.Run) bool {
	if !slices.ContainsFunc(r.Effects, func(i int) bool {
		e := &c.Effects[i]
		return e.Kind == effect.Spawn && e.Op != effect.OpRun || e.Kind == effect.Network
	}) {
		return false // a program that only computes or prints: it has ended, and serves nothing
	}
	return (r.Background || c.inBackground()) && !r.Contained && !remote(r)
}

// inBackground says whether an argument of the call tells the host to run all of it in the background. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) inBackground() bool {
	return slices.ContainsFunc(c.Args, func(a Arg) bool {
		return (a.Path == "run_in_background" || a.Path == "background" || a.Path == "is_background") && a.Value == "true"
	})
}
