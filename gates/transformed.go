package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file finds contents that the session made and that nobody can follow: what
// becomes of a text on its way through a program says nothing about it any more.

// transformers are programs that make another text of the one that they are given:
// common knowledge, of which no list was opened, as are the two lists below.
// Formatters, linters and compilers are none: what they write does what it did. Sorted.
const transformers = "awk base32 base64 basenc brotli bsdtar bunzip2 bzip2 cat column comm csplit cut dd ed envsubst ex expand fmt fold gawk gpg gunzip gzip head iconv join jq lua lz4 m4 mawk nl " +
	"node od openssl paste perl php pr printf python python3 rev ruby sed shuf sort split sponge strings tac tail tee tr unexpand uniq unxz unzstd uudecode uuencode xxd xz yq zstd"

// coders are those of them that leave nothing of a text to be seen. Sorted.
const coders = "base32 base64 basenc brotli bunzip2 bzcat bzip2 csplit cut gpg gunzip gzip lz4 od openssl paste rev tr unxz unzstd uudecode xxd xz xzcat zcat zstd zstdcat"

// codeWriters are those that are given a program of their own, which may write
// what its text does not show. Sorted.
var codeWriters = [...]string{"lua", "node", "perl", "php", "python", "python3", "ruby"}

// transformed adds the files that the call writes with contents that nobody can
// follow, if they are made of the session's own text or of the call's.
func (c *Context) transformed(out []string) []string {
	coded := slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Kind == effect.Spawn && mark.Among(coders, e.Program)
	})
	out = c.cut(out)
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Write || !c.unfollowed(e) {
			continue
		}
		out = with(out, e.Resource)
		if shell.Loaded(e.Resource) != shell.NotLoaded && (coded || searched(codeWriters[:], e.Program) && (c.inline == nil && decodes(c.Command) || c.inline != nil && c.inline.decodes(c))) {
			out = with(out, project+e.Resource)
		}
	}
	return out
}

// cut adds what split and csplit cut files of the session into: names with a prefix,
// which is x or xx where none is given (split(1), csplit(1)).
func (c *Context) cut(out []string) []string {
	var rows []string
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case e.Kind != effect.Spawn && e.Kind != effect.Write || e.Program != "split" && e.Program != "csplit" || !c.ofSession(false):
		case e.Kind == effect.Write:
			rows = append(rows, e.Resource)
		case e.Program == "split":
			rows = append(rows, path.Join(c.Cwd, "x"))
		default:
			rows = append(rows, path.Join(c.Cwd, "xx"))
		}
	}
	for _, row := range rows {
		out = c.brought(with(out, row+"*"), row)
	}
	return out
}

// brought adds the names to which the call moves or copies files of a row.
func (c *Context) brought(out []string, row string) []string {
	for k := range c.runs {
		r := &c.runs[k]
		if !slices.ContainsFunc(r.Effects, func(i int) bool { return c.brings(i) && strings.HasPrefix(c.Effects[i].Resource, row) }) {
			continue
		}
		for _, i := range r.Effects {
			if e := &c.Effects[i]; e.Kind == effect.Write && c.brings(i) && (codeOf(e.Resource) != "" || !strings.HasPrefix(e.Resource, row)) && !c.holdsCwd(e.Resource) {
				out = with(out, e.Resource)
			}
		}
	}
	return out
}

// unfollowed says whether a write leaves contents that nobody can follow.
func (c *Context) unfollowed(e *Effect) bool {
	if e.Zone == effect.ZoneStream || e.Glob || c.holdsCwd(e.Resource) || c.follows(e.Resource) {
		return false
	}
	switch e.Op {
	case effect.OpCreate, effect.OpModify:
	default:
		return false
	}
	if searched(codeWriters[:], e.Program) {
		return !c.readsFile(e.Resource) || c.inline == nil && decodes(c.Command) || c.inline != nil && c.inline.spoils(c, e.Resource)
	}
	if e.Program != "" && !mark.Among(transformers, e.Program) {
		return false
	}
	return c.ofSession(e.Program == "")
}

// follows says whether the contents that the call leaves in a file are known. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) follows(file string) bool {
	return slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == file })
}

// ofSession says whether what the call writes is made of files of the session, or,
// where it reads none at all, of words of its own.
func (c *Context) ofSession(words bool) bool {
	reads := false
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Read || e.Zone == effect.ZoneStream {
			continue
		}
		reads = true
		if slices.ContainsFunc(c.Flow.Made, func(m Made) bool { return mark.Under(e.Resource, m.Path) }) {
			return true
		}
	}
	return words && !reads
}

//go:noinline
func (c *Context) readsFile(file string) bool {
	return slices.ContainsFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Read && e.Resource == file })
}

// decoders are what the libraries of interpreters call what makes a text of
// another that does not show it.
var decoders = [...]string{"b64", "base64", "fromhex", "unhexlify", "rot13", "rot_13", "chr(", "chr ", "fromCharCode", "[::-1]", "reverse", "decompress", "inflate", "pack(", "unpack", "codecs", "translate", "tr/", "y/", "hex"}

func decodes(code string) bool {
	return slices.ContainsFunc(decoders[:], func(d string) bool { return strings.Contains(code, d) })
}

//go:noinline
func searched(sorted []string, s string) bool {
	_, ok := slices.BinarySearch(sorted, s)
	return ok
}
