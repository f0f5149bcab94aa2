package gates

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about processes that the session started in the background, which it may
// stop again: servers, watchers, long runs. What counts is what it is known to have
// started; that it would like to have something stopped shows nothing.

// begun stands in Flow.Own before the words of a command that the session left running in
// the background, and serves before a port of this machine that it connected to after
// that.
const (
	begun  = "runs:"
	serves = "port:"
)

// maxBegun bounds the bytes that are kept of a command's words.
const maxBegun = 200

// leaves adds what the call leaves running, and the ports that it connects to.
func (c *Context) leaves(own []string) []string {
	for _, words := range c.begins(len(c.runs)) {
		own = with(own, begun+words)
	}
	if !slices.ContainsFunc(own, func(o string) bool { return strings.HasPrefix(o, begun) }) {
		return own
	}
	for _, port := range c.portsGiven(len(c.runs)) {
		own = with(own, port)
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Network && loopback(e.Net) && e.Net.Port != 0 {
			own = with(own, serves+strconv.Itoa(int(e.Net.Port)))
		}
	}
	return own
}

// begins are the commands among the first n runs of the call that go on in the background:
// by the shell's sign, or because the host runs all of the call there.
func (c *Context) begins(n int) []string {
	var out []string
	for i := range c.runs[:min(n, len(c.runs))] {
		r := &c.runs[i]
		if !c.leftRunning(r) {
			continue
		}
		if words := plainWords(r.Words); words != "" {
			out = append(out, words)
		}
	}
	out = append(out, c.daemons(n)...)
	for i := range c.runs[:min(n, len(c.runs))] {
		if r := &c.runs[i]; n == len(c.runs) && !r.Contained && !r.Given { // of the same line nobody knows whether it began one
			if name := sessionMade(r.Words); name != "" {
				out = append(out, tmuxSession+name)
			}
		}
	}
	return out
}

// tmuxSession stands before the name of a session of tmux that the session started.
const tmuxSession = "tmux session "

// sessionMade is the name of the session that tmux makes in the background (tmux(1), new-session
// -d -s NAME); empty where it may only attach to one, or another server is named.
func sessionMade(words []string) (name string) {
	if len(words) < 4 || path.Base(words[0]) != "tmux" || words[1] != "new-session" && words[1] != "new" {
		return ""
	}
	detached := false
	for i := 2; i < len(words) && strings.HasPrefix(words[i], "-"); i++ {
		switch w := words[i]; w {
		case "-d":
			detached = true
		case "-s", "-ds":
			detached = detached || w == "-ds"
			if i+1 < len(words) {
				name = words[i+1]
			}
			i++
		case "-n", "-x", "-y", "-c":
			i++
		default:
			return ""
		}
	}
	if !detached || mark.Has(name) || strings.ContainsAny(name, " :.=*?[") {
		return ""
	}
	return name
}

// tasks are the commands of the script that a started task is (npm run dev): of package.json,
// as it was before the session.
func (c *Context) tasks(started string) (out []string) {
	words := strings.Fields(started)
	if c.places.SettledText == nil || len(words) < 2 || !isAmong([]string{"npm", "pnpm", "yarn", "bun"}, words[0]) {
		return nil
	}
	name := words[1]
	if name == "run" || name == "run-script" {
		if len(words) < 3 {
			return nil
		}
		name = words[2]
	}
	line := scriptsOf(c.places.SettledText(path.Join(c.Cwd, "package.json")))[name]
	for _, l := range line {
		for part := range strings.SplitSeq(strings.ReplaceAll(l, "&&", ";"), ";") {
			if words := strings.Fields(part); len(words) > 0 && !strings.ContainsAny(part, "'\"$`\\|<>(){}*?&") {
				out = append(out, plainWords(words))
			}
		}
	}
	return out
}

// spellsNumber says whether the session wrote the number in a file itself: then it is that of
// whatever it named.
func (c *Context) spellsNumber(file string) bool {
	number := func(text string) bool { return strings.Trim(text, "0123456789- \n") == "" }
	for i := range c.written {
		if w := &c.written[i]; w.Path == file {
			return w.Known && number(w.Text)
		}
	}
	return slices.ContainsFunc(c.Flow.Made, func(m Made) bool { return m.Path == file && m.Known && number(m.Text) })
}

// jobFile stands in Flow.Own before a file to which a call wrote shell.OwnJob, with its stamp behind
// a zero byte.
const (
	jobFile = "job:"
	jobOld  = "job before:" // before one that was there when the call was asked about
)

// jobs adds the files to which the call wrote the number of what it started in the background, as it
// left them.
func (c *Context) jobs(own []string) []string {
	own = slices.DeleteFunc(own, func(o string) bool {
		rest, ok := cutPrefix(o, jobFile)
		file, _, _ := cutAt(rest, "\x00")
		return ok && c.writesTo(file)
	})
	for i := range c.written {
		if w := &c.written[i]; c.stamp != nil && exact(w.Path) && w.Known && !w.Part && strings.TrimSpace(w.Text) == shell.OwnJob {
			switch entry := w.Path + "\x00" + c.stamp(w.Path); {
			case !c.after && !c.isNew(w.Path):
				own = with(own, jobOld+entry)
			case c.after && !isAmong(own, jobOld+entry): // what is as it was, the call did not write
				own = with(own, jobFile+entry)
			}
		}
	}
	if c.after {
		own = slices.DeleteFunc(own, func(o string) bool { return strings.HasPrefix(o, jobOld) })
	}
	return own
}

// keepsOwn says whether an earlier call wrote the number of what it started in the background into a
// file, nobody has written to that since, and neither does this call.
func (c *Context) keepsOwn(file string) bool {
	if c.stamp == nil || c.after || !exact(file) {
		return false
	}
	at := c.stamp(file)
	return at != "" && isAmong(c.Flow.Own, jobFile+file+"\x00"+at) && !c.writesTo(file)
}

// writesTo says whether the call may write to a file.
func (c *Context) writesTo(file string) bool {
	return slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Kind == effect.Write && e.Zone != effect.ZoneStream && (!exact(e.Resource) || mark.Under(file, e.Resource))
	})
}

// remote says whether a run is one of another machine, or gets there.
func remote(r *effect.Run) bool {
	switch path.Base(r.Words[0]) {
	case "ssh", "docker", "podman", "kubectl", "sudo", "doas":
		return true
	}
	return false
}

// plainWords are the words of a command that name a program and what it works on, without
// what may be a secret: values of options whose names say so, texts, what looks like one.
func plainWords(words []string) string {
	var b strings.Builder
	secret := false
	for i, w := range words {
		low := strings.ToLower(w)
		hidden := secret
		secret = strings.HasPrefix(w, "-") && (strings.Contains(low, "token") || strings.Contains(low, "pass") || strings.Contains(low, "secret") || strings.Contains(low, "key") || strings.Contains(low, "auth"))
		names := secret
		secret = secret && !strings.Contains(w, "=")
		if hidden || names || mark.Has(w) || len(w) > 80 || strings.ContainsAny(w, " \n\t'\"`$;|&<>(){}@") || class.Sent(w)&class.Credentials != 0 {
			continue
		}
		if i == 0 {
			w = path.Base(w)
		}
		if b.Len()+len(w) >= maxBegun {
			break
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}

// stopsOwn says whether all that a signal can reach is what the session started: by the
// name that it started it under, by a port that it has used since, or by the file in which
// a program of the workspace keeps its number.
func (c *Context) stopsOwn(e *Effect) bool {
	if e.Deferred {
		return false
	}
	found := false
	for at := range c.runs {
		if slices.Contains(c.runs[at].Effects, c.indexOf(e)) {
			if found = c.stopsOwnAt(e, at) || c.reached != nil && c.reached(c, e, at); !found {
				return false // what signals the same way is one effect
			}
		}
	}
	return found
}

// stopsOwnAt is stopsOwn for one of the call's runs.
func (c *Context) stopsOwnAt(e *Effect, at int) bool {
	what, of := target(e, &c.runs[at])
	if w := c.runs[at].Words; c.runs[at].Tool == "pkill" && len(w) == 3 && (w[1] == "-F" || w[1] == "--pidfile") && strings.HasSuffix(w[2], ".pid") && !mark.Has(w[2]) {
		what, of = "pidfile", c.places.Resolve(c.runs[at].Cwd, w[2])
	}
	if what == "pidfile" && c.keepsOwn(of) {
		return true
	}
	started := c.begins(at)
	for _, o := range c.Flow.Own {
		if words, ok := cutPrefix(o, begun); ok {
			started = append(started, words)
		}
	}
	if len(started) == 0 {
		return false
	}
	for _, s := range started {
		started = append(started, c.tasks(s)...)
	}
	switch what {
	case "port":
		known := append(c.leaves(slices.Clone(c.Flow.Own)), c.portsGiven(at)...)
		return !slices.ContainsFunc(strings.Split(of, ","), func(port string) bool {
			return !isAmong(known, serves+port) && !slices.ContainsFunc(started, func(s string) bool { return namesPort(s, port) })
		})
	case "pidfile":
		z, _, _ := c.places.Where(of)
		others := slices.ContainsFunc(started, func(s string) bool { return !strings.HasPrefix(s, ofDaemon) })
		return (z == effect.ZoneWorkspace || z == effect.ZoneTemp) && !c.spellsNumber(of) && (others || isAmong(started, ofDaemon+of))
	case "session":
		return isAmong(started, tmuxSession+of)
	case "name":
		return slices.ContainsFunc(started, func(s string) bool { return particular(s, of) || serverOf(s, of) })
	}
	return false
}

// particular says whether a name is made of whole words of a started command, and of such
// that tell it from what others run: a file or a module (server.js, app.main:app), the
// program with what it was given, or a program that serves one project. An interpreter, a
// shell or a browser alone is everybody's.
func particular(started, name string) bool {
	words, of := strings.Fields(started), strings.Fields(name)
	at := -1
	for i := 0; len(of) > 0 && i+len(of) <= len(words) && at < 0; i++ {
		last := len(of) - 1
		module := last > 0 && strings.Contains(of[last], ".") && strings.HasPrefix(words[i+last], of[last]+":") // all of a module's name (app.main of app.main:app)
		if slices.Equal(words[i:i+last], of[:last]) && (words[i+last] == of[last] || module) {
			at = i
		}
	}
	switch {
	case at < 0:
		return false
	case at == 0 && isAmong(taskRunners[:], of[0]+" "):
		return len(of) > 2 || len(of) > 1 && of[1] != "run" && of[1] != "exec"
	case len(of) > 1:
		return true
	}
	return len(name) >= minName && strings.ContainsAny(name[1:len(name)-1], "./:") || at == 0 && isAmong(servers[:], name)
}

// minName is the shortest word that may stand for what was started.
const minName = 4

// servers are programs that serve the one project they are started in, by their manuals.
var servers = [...]string{"uvicorn", "gunicorn", "hypercorn", "daphne", "flask", "puma", "rackup", "streamlit", "vite", "nodemon", "http-server", "storybook", "mkdocs", "hugo", "jekyll"}

// target is what a signal goes to: a port, a file with a number, or a name.
func target(e *Effect, r *effect.Run) (what, of string) {
	switch r.Tool {
	case "pkill", "killall":
		if len(r.Names) == 1 && !mark.Has(r.Names[0]) && plainSignal(r.Words[1:], r.Names[0]) {
			return "name", r.Names[0]
		}
		return "", ""
	case "fuser":
		port, proto, _ := cutAt(first(r.Names), "/")
		if len(r.Names) == 1 && proto == "tcp" && plainSignal(r.Words[1:], r.Names[0]) {
			return "port", port
		}
		return "", ""
	}
	if w := r.Words; strings.HasPrefix(r.Tool, "tmux kill-session") && len(w) == 4 && w[2] == "-t" {
		return "session", trimPrefix(w[3], "=")
	}
	what, of, ok := cutAt(e.Resource, " ")
	if !ok || path.Base(r.Words[0]) != "kill" {
		return "", ""
	}
	return what, of
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// plainSignal says whether the words of pkill, killall or fuser but the name only say how
// to signal, and not whom beside (pkill(1), killall(1), fuser(1)).
func plainSignal(words []string, name string) bool {
	for _, w := range words {
		if w != name && (strings.Contains(w, " ") || !strings.Contains(" -f -x -fx -xf -n -o -e -q -k -9 -15 -2 -1 -KILL -TERM -INT -HUP -SIGKILL -SIGTERM -SIGINT -SIGHUP -9f -f9 ", " "+w+" ")) {
			return false
		}
	}
	return true
}

// taskRunners start programs under other names than their own (npm run dev).
var taskRunners = [...]string{"npm ", "npx ", "yarn ", "pnpm ", "bun ", "make ", "just ", "turbo ", "nx "}

// developmentServers are programs that such tasks commonly start and that serve one
// project, by the names of their packages at npm.
var developmentServers = [...]string{"vite", "next dev", "next start", "next-server", "nuxt", "storybook", "webpack-dev-server", "webpack serve", "react-scripts", "astro dev", "nodemon", "ts-node-dev", "tsx watch", "vitest", "jest", "playwright", "http-server", "ng serve", "remix dev", "gatsby develop", "expo start", "metro"}

// serverOf says whether a name is one of what a started task commonly runs.
func serverOf(started, name string) bool {
	return slices.ContainsFunc(taskRunners[:], func(t string) bool { return strings.HasPrefix(started, t) }) &&
		slices.ContainsFunc(developmentServers[:], func(s string) bool { return name == s || strings.HasPrefix(name, s+" ") })
}

// namesPort says whether the words of a command name a port, alone or behind a colon or an
// equals sign.
func namesPort(words, port string) bool {
	for _, w := range strings.Fields(words) {
		if i := strings.LastIndexAny(w, ":="); i >= 0 {
			w = w[i+1:]
		}
		if trimPrefix(w, "-p") == port {
			return true
		}
	}
	return false
}
