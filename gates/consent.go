package gates

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// MaxRepeats bounds how many calls one consent to repeats covers. The paper asks
// for every invocation of a template anew (002 §4.3); this is a concession to
// people who say in so many words that they do not want to be asked for each of a
// handful of equal calls, and small enough to be read as one decision.
const MaxRepeats = 20

// Template names the calls of the same kind as c: the same tool, under the same
// policy, asked about for the same reasons, with the same effects but for the
// names of plain files in one directory, the path of an address at one host and
// what is read or sent. It is empty where no two calls are of one kind: the call
// is not one that a confirmation lets pass, another node's gate stopped it, or
// what it does is not known. Everything else that decides about a call is part of
// the name: programs that run others with all their words, secrets and protected
// paths, patterns, settings, signals, recipients, amounts and where they came from.
func (d *Decision) Template(c *Context, policy string) string {
	if d.Disposition != ApprovedWithConstraints || d.LibraryRejected {
		return ""
	}
	b := appendWords(nil, "gbt template 1", policy, c.ToolName(), c.Cwd, strconv.Itoa(c.UID), strconv.Itoa(c.GID))
	b = appendWords(append(b, "\nroots"...), c.Roots...)
	b = appendWords(append(b, "\ngates"...), d.Gates...)
	for i := range d.Reasons {
		b = appendWords(append(b, "\nreason"...), d.Reasons[i].Rule)
	}
	for _, i := range c.Sinks() {
		a := &c.Args[i]
		b = appendWords(append(b, "\nsink"...), a.Path, a.Value, a.Origin.String(), a.Source)
	}
	exact := false
	for i := range d.Effects {
		e := &d.Effects[i]
		if !settled(e) {
			return ""
		}
		exact = exact || e.Kind == effect.Setting || e.Kind == effect.Signal || e.Kind == effect.Network && e.Net.Domain == "" && e.Net.IP == ""
		b = appendShape(b, e)
	}
	if exact { // a change of the machine or of a process, a service: only the very same call
		b = appendWords(append(b, "\ncommand"...), c.Command)
		for i := range c.Args {
			b = appendWords(append(b, "\narg"...), c.Args[i].Path, c.Args[i].Value)
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// settled says whether an effect is known as far as it goes: what a variable
// names may be something else the next time.
func settled(e *Effect) bool {
	switch e.Kind {
	case effect.Opaque:
		return false
	case effect.Read, effect.List, effect.Write, effect.Delete:
		return e.Zone != effect.ZoneUnknown && e.Zone != effect.ZoneCaller || e.Op == effect.OpEnv
	}
	return true
}

func appendWords(b []byte, words ...string) []byte {
	for _, w := range words {
		b = strconv.AppendQuote(append(b, ' '), w)
	}
	return b
}

// appendShape writes what a template keeps of an effect.
func appendShape(b []byte, e *Effect) []byte {
	b = appendWords(append(b, "\neffect"...), e.Kind.String(), e.Op.String(), e.Zone.String(), e.Program, e.Parent, shapeOf(e))
	for _, flag := range [...]bool{e.Sensitive, e.Protected, e.Glob, e.Deferred} {
		b = strconv.AppendBool(append(b, ' '), flag)
	}
	b = appendWords(b, e.Net.Scheme, e.Net.Domain, e.Net.IP)
	return strconv.AppendUint(append(b, ' '), uint64(e.Net.Port), 10)
}

// shapeOf is what a template keeps of an effect's resource.
func shapeOf(e *Effect) string {
	switch e.Kind {
	case effect.Spawn:
		if e.Op == effect.OpRun || e.Op == effect.OpRunCode || e.Op == effect.OpBuild {
			return ""
		}
		return e.Resource + "\x00" + e.Argv
	case effect.Network:
		return ""
	case effect.Read, effect.List, effect.Write, effect.Delete:
		plain := !e.Sensitive && !e.Protected && !e.Glob && e.Op != effect.OpRemoveTree
		if i := strings.LastIndexByte(e.Resource, '/'); plain && i >= 0 && e.Zone != effect.ZoneRecord {
			return e.Resource[:i+1]
		}
	}
	return e.Resource
}

// Repeat is a person's explicit consent to further calls of one template in one
// session (requirement V3). Nothing but such consent makes one.
type Repeat struct {
	Session  string
	Template string
	Count    int // 1 to MaxRepeats
}

// ErrRepeat is what is wrong with a consent to repeats that can't be used.
var ErrRepeat = errors.New("not a consent to repeats")

// Repeats are the consents that are in force. The zero value has none. It belongs
// to one caller and lives no longer than the process that asked.
type Repeats struct {
	left map[[2]string]int
}

// Grant takes in a consent. A second one for the same template replaces the
// first: counts do not add up.
func (r *Repeats) Grant(p Repeat) error {
	if p.Session == "" || p.Template == "" || p.Count < 1 || p.Count > MaxRepeats {
		return ErrRepeat
	}
	if r.left == nil {
		r.left = map[[2]string]int{}
	}
	r.left[[2]string{p.Session, p.Template}] = p.Count
	return nil
}

// Use spends one of the calls that a consent covers and says whether it did. It
// can only let a call pass that needs a confirmation: what is rejected or has to
// be revised has no template.
func (r *Repeats) Use(session, template string) (left int, ok bool) {
	key := [2]string{session, template}
	n := r.left[key]
	if template == "" || session == "" || n == 0 {
		return 0, false
	}
	if n--; n == 0 {
		delete(r.left, key)
	} else {
		r.left[key] = n
	}
	return n, true
}
