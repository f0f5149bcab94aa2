package shell

import "strings"

// This file finds an option in the list of a table.

// findOpt finds an option in an option list. A long option may be cut short,
// as getopt_long(3) allows; the first listed one that fits counts. The list has names
// with a dash first, then letters, then long ones: some have hundreds.
func findOpt(opts, name string, long bool) (kind, role byte, ok bool) {
	if opts == "" || name == "" {
		return 0, 0, false
	}
	short := len(name) == 1 || name[0] == '-'
	for pos := 0; pos < len(opts); {
		tok := opts[pos:]
		if i := firstByte(tok, ' '); i >= 0 {
			tok = tok[:i]
		}
		pos += len(tok) + 1
		if len(tok) < 3 {
			continue
		}
		n := tok[:len(tok)-2]
		switch {
		case n == name && (!long || len(n) > 1):
			return tok[len(tok)-2], tok[len(tok)-1], true
		case short && n[0] != '-' && (len(n) > 1 || name[0] == '-' && n != "="):
			return 0, 0, false // all that could be it was before
		case !short && (n[0] == '-' || len(n) == 1):
		case !short && pos < len(opts):
			return longOpt(opts[pos-len(tok)-1:], name, long)
		case long && len(n) > 1 && n[0] != '-' && abbreviates(name, n):
			return tok[len(tok)-2], tok[len(tok)-1], true
		}
	}
	return 0, 0, false
}

// longOpt finds an option among long ones. It looks at those alone that begin with the
// name. The table may have more of them than a subcommand takes, so a beginning that several
// share is taken for the one that asks.
func longOpt(opts, name string, long bool) (kind, role byte, ok bool) {
	harm := "" // of several that begin so, one that runs or writes something
	for pos := optAt(opts, name, 0); pos >= 0; {
		end := firstByte(opts[pos:], ' ')
		if end < 0 {
			end = len(opts)
		} else {
			end += pos
		}
		if tok := opts[pos:end]; len(tok) >= 3 {
			n := tok[:len(tok)-2]
			if n == name {
				return tok[len(tok)-2], tok[len(tok)-1], true
			}
			if long && !ok && abbreviates(name, n) {
				kind, role, ok = tok[len(tok)-2], tok[len(tok)-1], true
			}
			if firstByte(runningRoles, tok[len(tok)-1]) >= 0 && harm == "" {
				harm = tok
			}
		}
		pos = optAt(opts, name, end)
	}
	if ok && harm != "" && len(name) > 1 {
		kind, role = harm[len(harm)-2], harm[len(harm)-1]
	}
	return kind, role, ok
}

// optAt is where the next option of a list begins, from a byte on that ends one, that
// begins with a name; -1 if there is none.
func optAt(opts, name string, from int) int {
	if from == 0 && strings.HasPrefix(opts, name) {
		return 0
	}
	if i := strings.Index(opts[from:], " "+name); i >= 0 {
		return from + i + 1
	}
	return -1
}

// abbreviates says whether name is the beginning of the long option whole. One
// that ends where a word of whole ends may be an option of its own: --server is
// not --server-print.
func abbreviates(name, whole string) bool {
	rest, ok := cutPrefix(whole, name)
	return ok && !strings.HasPrefix(rest, "-")
}
