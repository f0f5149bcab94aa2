package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about files that a program packs or unpacks one by one where they lie: what was
// x.gz is x then, and the other way round, and no word of the line says so.

// pressers are such programs, each with the endings that it takes off and the first of which it
// puts on (gzip(1), bzip2(1), xz(1), zstd(1), lz4(1), brotli(1), compress(1), lzip(1), and pigz's,
// pbzip2's and pixz's pages).
var pressers = [...]struct{ programs, endings string }{
	{"gzip gunzip pigz unpigz", ".gz -gz .z -z _z .Z .tgz .taz"},
	{"bzip2 bunzip2 pbzip2 lbzip2 lbunzip2", ".bz2 .bz .tbz2 .tbz"},
	{"xz unxz pixz", ".xz .lzma .txz .tlz"},
	{"lzma unlzma", ".lzma .tlz .xz .txz"},
	{"zstd unzstd pzstd", ".zst .tzst .gz .xz .lzma .lz4"},
	{"lz4 unlz4", ".lz4"},
	{"brotli unbrotli", ".br"},
	{"compress uncompress", ".Z"},
	{"lzip lunzip plzip", ".lz .tlz"},
}

// pressed adds the names that unvetted files get where such a program works on them.
func (c *Context) pressed(out []string) []string {
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Write || e.Op != effect.OpModify {
			continue
		}
		for _, p := range pressers {
			if isAmong(strings.Fields(p.programs), e.Program) {
				out = c.pressedBy(out, e, strings.Fields(p.endings))
			}
		}
	}
	return out
}

// pressedBy adds the names for one effect.
func (c *Context) pressedBy(out []string, e *Effect, endings []string) []string {
	for _, u := range slices.Clone(out) {
		if !strings.HasPrefix(u, "/") || !(u == e.Resource || strings.HasPrefix(u, e.Resource+"/") || strings.ContainsAny(e.Resource, "*?[…") && path.Dir(u) == path.Dir(e.Resource) && mayBe(e.Resource, u)) {
			continue
		}
		out = tainted(out, u+endings[0], true)
		out = tainted(out, trimSuffix(u, path.Ext(u)), true) // an ending of the line's own, -S
		for _, end := range endings {
			if name, ok := cutSuffix(u, end); ok {
				if strings.HasPrefix(end, ".t") {
					name += ".tar"
				}
				out = tainted(out, name, true)
			}
		}
	}
	return out
}
