package shell

import "strings"

// This file finds options by less than their listed names: by their ends, and by another
// spelling.

// respelled finds a long option by its other spelling, --outDir for --out-dir or the other way
// round, and one without effect behind no- (the READMEs of yargs and cac).
func (r *toolRun) respelled(name string) (kind, role byte, ok bool) {
	rest, no := cutPrefix(name, "no-")
	for _, n := range [...]string{camelName(name), kebabName(name), rest, camelName(rest), kebabName(rest)} {
		if kind, role, ok = findOpt(r.t.opts, n, false); !ok {
			kind, role, ok = r.inherited(n)
		}
		switch {
		case !ok || len(n) < 2:
		case no && (kind != '!' || role != roleNothing):
			return 0, 0, false
		default:
			return kind, role, true
		}
	}
	return 0, 0, false
}

// camelName is an option's name with capitals in place of dashes, each part between dots by
// itself.
func camelName(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '-' && i > 0 && i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z' {
			i++
			b.WriteByte(name[i] - 'a' + 'A')
			continue
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// kebabName is an option's name with dashes in place of capitals.
func kebabName(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if c := name[i]; c >= 'A' && c <= 'Z' && i > 0 {
			b.WriteByte('-')
			b.WriteByte(c - 'A' + 'a')
			continue
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// patterned finds a long option by its end, where the list has a name with a star in front.
func patterned(opts, name string) (kind, role byte, ok bool) {
	for pos := optAt(opts, "*", 0); pos >= 0; pos = optAt(opts, "*", pos+1) {
		tok, _, _ := cutAt(opts[pos:], " ")
		if len(tok) > 3 && strings.HasSuffix(name, tok[1:len(tok)-2]) {
			return tok[len(tok)-2], tok[len(tok)-1], true
		}
	}
	return 0, 0, false
}
