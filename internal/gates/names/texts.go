package names

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// textEndings are endings of code and of documents, which no program takes its secrets or
// its settings from. Sorted.
const textEndings = ".adoc .astro .c .cc .clj .cpp .cs .css .cxx .dart .elm .erl .ex .exs .fs .go .graphql .h .hh .hpp .hs .htm .html .java .jl .js .jsx .kt .kts .less .lua .m .markdown .md .mdx " +
	".mjs .ml .mm .mts .nim .php .proto .py .pyi .r .rb .rs .rst .scala .scss .svelte .swift .tex .ts .tsx .vue .zig"

// Texts says whether all that a pattern of one name finds is code or a document: it ends in
// the ending of one, with no part of it left open, and finds the name of no secret.
func Texts(pattern string) bool {
	ext := path.Ext(pattern)
	known := mark.Among(textEndings, ext)
	return known && !strings.ContainsAny(ext, "*?[]{}\\…") && !strings.HasPrefix(pattern, ".") && !MayFind(pattern)
}
