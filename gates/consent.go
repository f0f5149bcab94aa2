package gates

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// MaxRepeats bounds how many calls one consent to repeats covers. The paper asks
// for every invocation of a template anew (002 §4.3); this is a concession to
// people who say in so many words that they do not want to be asked for each of a
// handful of equal calls, and small enough to be read as one decision.
const MaxRepeats = 20

// Template names the calls that one consent to repeats may cover: the same tool
// or command line, under the same policy, in the same place, asked about for the
// same rules and by the same gates, with the same arguments and effects. What may
// differ is only a text that a message or a record carries, the agent's own words
// or the user's: one that came from outside is part of the name by its value, as is every other
// argument, since none is known to be harmless to change. Command lines have no
// such part, so only the very same line has the same name. It is empty where no
// two calls are of one kind: the call is not one that a confirmation lets pass,
// another node's gate stopped it, or what it does is not known.
func (d *Decision) Template(c *Context, policy string) string {
	if d.Disposition != ApprovedWithConstraints || d.LibraryRejected {
		return ""
	}
	b := appendWords(nil, "gbt template 2", policy, c.ToolName(), c.Cwd, c.Home, strconv.Itoa(c.UID), strconv.Itoa(c.GID), c.Command)
	b = appendWords(append(b, "\nroots"...), c.Roots...)
	if c.Elsewhere != "" {
		b = appendWords(append(b, "\nelsewhere"...), c.Elsewhere)
	}
	b = appendWords(append(b, "\ngates"...), d.Gates...)
	for i := range d.Reasons {
		b = appendWords(append(b, "\nreason"...), d.Reasons[i].Rule)
	}
	words := c.Class.Family != call.FamilyFile && c.Class.Family != call.FamilyShell // what a file holds may run
	for i := range c.Args {
		b = appendArg(b, &c.Args[i], words)
	}
	for i := range d.Effects {
		if !settled(&d.Effects[i]) {
			return ""
		}
		b = appendEffect(b, &d.Effects[i])
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// appendArg writes what a template keeps of an argument. Only a payload that is
// one text is free to change: the fields of a nested one may say who and how much.
func appendArg(b []byte, a *Arg, words bool) []byte {
	b = appendWords(append(b, "\narg"...), a.Path, a.Role, a.Origin.String(), a.Source)
	if words && a.Role == effect.RolePayload.String() && a.Origin != call.OriginUntrusted && !strings.Contains(a.Path, ".") {
		return b
	}
	return appendWords(b, a.Value)
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

// appendEffect writes an effect without the payload, which is an argument's.
func appendEffect(b []byte, e *Effect) []byte {
	b = appendWords(append(b, "\neffect"...), e.Kind.String(), e.Op.String(), e.Zone.String(), e.Program, e.Parent, e.Resource, e.Argv, e.Deed, e.Ref)
	for _, flag := range [...]bool{e.Sensitive, e.Protected, e.Glob, e.Deferred, e.Named, e.Loses} {
		b = strconv.AppendBool(append(b, ' '), flag)
	}
	b = appendWords(b, e.Net.Scheme, e.Net.Domain, e.Net.IP)
	return strconv.AppendUint(append(b, ' '), uint64(e.Net.Port), 10)
}

// Repeat is a person's explicit consent to further calls of one template in one
// session (requirement V3). Nothing but such consent makes one.
type Repeat struct {
	Session  string
	Template string
	Count    int // 1 to MaxRepeats
}

// errRepeat is what is wrong with a consent to repeats that can't be used.
var errRepeat = errors.New("not a consent to repeats")

// Repeats are the consents that are in force. The zero value has none. It belongs
// to one caller and lives no longer than the process that asked.
type Repeats struct {
	left map[[2]string]int
}

// Grant takes in a consent. A second one for the same template replaces the
// first: counts do not add up.
func (r *Repeats) Grant(p Repeat) error {
	if p.Session == "" || p.Template == "" || p.Count < 1 || p.Count > MaxRepeats {
		return errRepeat
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
