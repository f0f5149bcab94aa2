package scope

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// This file names changes of an application's records. A yes to a change of one record is for what that
// record says of itself; all else that the call is given (which record it is, who owns it, what it
// belongs to, a statement) is a part of the name by its value.

// ofRecord begins such a name, and newRecords one of records that are made.
const (
	ofRecord   = "change the record "
	newRecords = "make records with "
)

// ownWords are the names of arguments that say what a record says of itself, beside those by which the
// session's own records are known again (gates.SaysOfItself): the text that an edit puts in another's
// place, how far it is done, and where in the record that is.
var ownWords = [...]string{"completed", "content", "done", "index", "is_completed", "isCompleted", "line", "markdown", "message", "newStr", "newString", "new_str", "new_string", "offset", "oldStr", "oldString", "old_str", "old_string", "percent", "position", "progress"}

// never are words of arguments, of their values and of tools by which a record is taken away, shown to
// others or handed to somebody.
var never = [...]string{"access", "admin", "archive", "archived", "delete", "deleted", "destroy", "erase", "force", "grant", "hidden", "invite", "lock", "locked", "merge", "owner", "ownership", "permission", "permissions", "private", "public", "publish", "published", "purge", "remove", "removed", "revoke", "role", "roles", "share", "shared", "sharing", "transfer", "trash", "trashed", "unarchive", "unpublish", "visibility", "wipe"}

// whose are arguments that say in which of a server's places a record is, as names of owners do.
var whose = [...]string{"owner", "ownerId", "owner_id"}

// recordNames name a call that changes an application's records. Messages and payments are asked about
// one by one, and so is what takes a record away, shows it to others or has a credential in it.
func recordNames(c *gates.Context, e *gates.Effect) []string {
	if c.Tool == "" || c.Command != "" || c.Class.Family == call.FamilyMessage || c.Class.Family == call.FamilyPayment || c.Class.Family == call.FamilyShell || saysNever(call.Words(c.Tool)) {
		return nil
	}
	makes := e.Op == effect.OpCreate && c.Class.Verb == effect.VerbCreate
	var bound []string
	for i := range c.Args {
		a := &c.Args[i]
		switch {
		case class.Sent(a.Value)&class.Credentials != 0, !slices.Contains(whose[:], a.Path) && handsOver(a):
			return nil
		case ofItself(a.Path), makes && prose(a):
		case len(a.Value) > maxPlainArg || strings.ContainsAny(a.Value, "\n\r"):
			return nil
		default:
			bound = append(bound, a.Path+"="+a.Value)
		}
	}
	if len(bound) == 0 && !makes { // it has no other name
		for i := range c.Args {
			if a := &c.Args[i]; (a.Path == "name" || a.Path == "title") && len(a.Value) <= maxPlainArg {
				bound = append(bound, a.Path+"="+a.Value)
			}
		}
	}
	all := "change records with " + c.Tool
	name := ofRecord + Quote(bound) + " with " + c.Tool
	if makes {
		name = newRecords + c.Tool + " for " + Quote(bound)
	}
	switch {
	case len(bound) == 0:
		return []string{all}
	case len(name) > maxExact:
		return nil
	default:
		return []string{name, all}
	}
}

// ofItself says whether an argument is a text or a property of the record.
func ofItself(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	words := call.Words(last)
	return gates.SaysOfItself(name) || slices.Contains(ownWords[:], last) || len(words) > 1 && slices.Contains([]string{"index", "line", "offset", "position"}, words[len(words)-1])
}

// prose says whether an argument of what makes a record is one of its texts, or one of several of which
// it consists.
func prose(a *gates.Arg) bool {
	if strings.Contains(a.Value, " ") {
		return !strings.Contains(a.Value, "://")
	}
	return slices.ContainsFunc(strings.Split(a.Path, "."), func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" })
}

// handsOver says whether an argument takes its record away, or shows or hands it to others, and does so
// by its value.
func handsOver(a *gates.Arg) bool {
	words := call.Words(strings.ReplaceAll(a.Path, ".", "_"))
	if slices.Contains(words, "private") || slices.Contains(words, "hidden") { // what is not, is shown
		return true
	}
	if saysNever(words) {
		return !slices.Contains([]string{"", "0", "[]", "false", "null", "{}"}, a.Value)
	}
	return slices.Contains([]string{"admin", "archived", "deleted", "owner", "published", "removed", "trashed"}, strings.ToLower(a.Value))
}

// saysNever says whether one of several words is such.
func saysNever(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(never[:], w) })
}
