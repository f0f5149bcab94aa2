package gates

import "github.com/gbt-policy/gbt/gates/effect"

// Flow is the episode-long history of information flow (decision 2 of the
// requirements): whether something sensitive was read, and which resources
// were written since, oldest first.
type Flow struct {
	SensitiveRead bool
	Derived       []string
	Unvetted      []string // files written with fetched contents, or with code that would not be approved; once more behind "project:" if builds would run them; behind "fetches:" manifests with dependencies from addresses; behind "within:" directories that were filled from elsewhere

	// Own is what the episode made and may delete again: files, and with a slash at
	// their end directories, and what was fetched into a temporary one. Files there it
	// may run, too. Behind "changes:" stands a file that git held as it was before the
	// episode changed it, with its stamp; behind "runs:" what it left running in the
	// background, and behind "port:" what it connected to here after that, or was told to serve on; behind "container:" and
	// "image:" those it made, with their engine; behind "ref:" and "fetched:" a branch or a tag that
	// it made, with the object that it stood for then and the repository, and behind "newref:" one
	// that was not there before a call that may be running, as a directory behind "newdir:"; behind "record:" a record of a server; behind "outside:" a file outside of the workspace. It is no part of what gates may read.
	Own []string `json:",omitempty"`

	// Turned is what the episode changed that later calls go by: where a remote leads, what
	// git starts. Each entry is a kind and what was changed. It is no part of what gates may
	// read.
	Turned []string `json:",omitempty"`

	// Made are the files that the episode wrote, with their texts where they are
	// known and short. It serves Unvetted and is no part of what gates may read.
	Made []Made `json:",omitempty"`

	// Page is whether the browser of the session shows a page of this machine (page.go).
	// It is no part of what gates may read.
	Page string `json:",omitempty"`
}

// After returns the flow after the call has run.
func (c *Context) After() Flow {
	f := c.Flow
	f.Derived = append([]string(nil), f.Derived...)
	for i := range c.Effects {
		e := &c.Effects[i]
		if (e.Kind == effect.Read || e.Kind == effect.Network) && e.Sensitive {
			f.SensitiveRead = true
		}
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; f.SensitiveRead && e.Kind == effect.Write && !isAmong(f.Derived, e.Resource) {
			f.Derived = append(f.Derived, e.Resource)
		}
	}
	f.Derived = bounded(f.Derived)
	f.Made = c.made()
	stays := *c
	stays.stays = true
	f.Own = stays.own()
	f.Turned = c.turned()
	f.Unvetted = bounded(stays.unvetted(f.Made))
	f.Page = c.page()
	if c.Elsewhere != "" {
		f = c.leftElsewhere(f)
	}
	return f
}

// maxFlow bounds the lists of a Flow, which is part of every later context of
// the episode. Episodes of the shared logs stay below a fifth of it.
const maxFlow = 256

// bounded keeps a list within maxFlow. What would have to be forgotten is not:
// the list becomes the root directory, which stands for every file.
func bounded(list []string) []string {
	if len(list) > maxFlow {
		return []string{"/"}
	}
	return list
}

// without leaves a text out of a list, in its place. Not inlined, for the size of programs.
//
//go:noinline
func without(list []string, s string) []string {
	out := list[:0]
	for _, x := range list {
		if x != s {
			out = append(out, x)
		}
	}
	return out
}
