package gates

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about settings by which curl and wget are told where to go and what to send, beside
// the addresses on the line (curl(1), -K and FILES; wget(1), --config and -i, Startup File), and
// about requests that hurl reads from a file. A file that the session wrote says anything.

// clientSettings counts a run of such a program that goes by a file of the session's.
func (f *follower) clientSettings(r *effect.Run) {
	if len(r.Words) == 0 {
		return
	}
	program := path.Base(r.Words[0])
	for i, w := range r.Words {
		switch {
		case program == "curl" || program == "wget":
			f.toldBy(r, clientFile(program, r.Words, i))
		case program == "hurl" && i > 0 && w != "" && w[0] != '-':
			at := f.c.places.Resolve(r.Cwd, w)
			if text, known := f.text(at); f.wrote(at) && (!known || asksOthers(text)) {
				f.hit = at
			}
		}
	}
	if program != "curl" && program != "wget" {
		return
	}
	for _, v := range r.Values {
		name, value, _ := cutAt(v, "=")
		switch name {
		case "WGETRC":
			f.toldBy(r, value)
		case "CURL_HOME", "HOME", "XDG_CONFIG_HOME":
			f.toldBy(r, path.Join(value, "."+program+"rc"))
			f.toldBy(r, path.Join(value, program+"rc"))
		}
	}
}

// clientFile is the file of settings or of addresses that word i gives, or nothing.
func clientFile(program string, words []string, i int) string {
	w := words[i]
	next := func() string {
		if i+1 < len(words) {
			return words[i+1]
		}
		return ""
	}
	name, value, joined := cutAt(w, "=")
	short := len(w) > 1 && w[0] == '-' && w[1] != '-'
	switch letter := map[string]string{"curl": "K", "wget": "i"}[program]; {
	case strings.HasPrefix(name, "--conf"), program == "wget" && strings.HasPrefix(name, "--inp"):
		if joined {
			return value
		}
		return next()
	case short && strings.Contains(w, letter):
		if at := strings.Index(w, letter); at < len(w)-1 {
			return w[at+1:]
		}
		return next()
	}
	return ""
}

// toldBy counts a file that the session wrote, and what another program hands over.
func (f *follower) toldBy(r *effect.Run, file string) {
	if file == "" || f.hit != "" {
		return
	}
	if at := f.c.places.Resolve(r.Cwd, file); file == "-" || strings.HasPrefix(at, "/dev/") || f.wrote(at) {
		f.hit = at
	}
}

// asksOthers says whether a text has an address of another machine than this one, or one that is
// put together when it runs.
func asksOthers(text string) bool {
	for rest := text; ; {
		_, after, ok := cutAt(rest, "://")
		if !ok {
			return strings.Contains(text, " {{")
		}
		host := after[:len(after)-len(strings.TrimLeft(after, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-[]@%_{}"))]
		n, known := effect.ParseURL(host, "http")
		if !known || !loopback(n) {
			return true
		}
		rest = after
	}
}
