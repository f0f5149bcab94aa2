package shell

import (
	goscanner "go/scanner"
	gotoken "go/token"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file judges a program of Go that stands outside the workspace, where nobody
// reviews it: by the packages that it imports and, of os, by what it uses and the
// paths that it names. Everything else may do anything.

// goPackages are packages of Go's library that only compute from what they are given,
// or write to where the program itself writes (pkg.go.dev/std).
const goPackages = "bufio bytes cmp container/heap container/list container/ring context crypto/md5 crypto/rand crypto/sha1 crypto/sha256 crypto/sha512 crypto/hmac encoding/base64 encoding/binary encoding/csv encoding/hex encoding/json encoding/xml errors flag fmt hash hash/adler32 hash/crc32 hash/crc64 hash/fnv html " +
	"io iter maps math math/big math/bits math/cmplx math/rand math/rand/v2 os path path/filepath reflect regexp slices sort strconv strings sync sync/atomic text/tabwriter text/template time unicode unicode/utf16 unicode/utf8 unique"

// What may be used of os: names that tell something, and functions whose first argument
// is the only path that they touch, by what they do to it.
const (
	goTells  = "Args ErrExist ErrNotExist ErrPermission Exit File FileInfo FileMode Getwd IsExist IsNotExist ModePerm O_RDONLY Stderr Stdin Stdout DirEntry PathError"
	goReads  = "Open ReadFile ReadDir Stat Lstat"
	goWrites = "Create WriteFile Mkdir MkdirAll"
)

// goWord is a token of Go.
type goWord struct {
	tok gotoken.Token
	lit string
}

// GoReaches says whether a program of Go may reach what its text does not show: other
// programs, the network, or files other than those of the workspace that it names.
// places must be normal.
func GoReaches(text string, places *effect.Places) bool {
	words, ok := goWords(text)
	if !ok {
		return true
	}
	for i, w := range words {
		switch {
		case w.tok == gotoken.IMPORT && !goImports(words[i+1:]):
			return true
		case w.tok == gotoken.IDENT && w.lit == "os" && i+2 < len(words) && words[i+1].tok == gotoken.PERIOD:
			if (i == 0 || words[i-1].tok != gotoken.PERIOD) && !goUses(words[i+2:], places) {
				return true
			}
		case w.tok == gotoken.COMMENT && strings.HasPrefix(w.lit, "//go:") && !strings.HasPrefix(w.lit, "//go:build"):
			return true
		}
	}
	return false
}

// goWords cuts source into tokens; ok is false if it is none.
func goWords(text string) (words []goWord, ok bool) {
	if len(text) > maxText {
		return nil, false
	}
	ok = true
	var s goscanner.Scanner
	set := gotoken.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(text)), []byte(text), func(gotoken.Position, string) { ok = false }, goscanner.ScanComments)
	for {
		_, tok, lit := s.Scan()
		if tok == gotoken.EOF {
			return words, ok
		}
		words = append(words, goWord{tok, lit})
	}
}

// goImports says whether all imports of a declaration are known. Os goes by its own
// name, and nothing is taken out of a package without its name.
func goImports(words []goWord) bool {
	if len(words) == 0 {
		return false
	}
	group := words[0].tok == gotoken.LPAREN
	name := ""
	for _, w := range words {
		switch w.tok {
		case gotoken.STRING:
			mod, err := strconv.Unquote(w.lit)
			if err != nil || !hasWord(goPackages, mod) || name == "." || mod == "os" && name != "" {
				return false
			}
			name = ""
			if !group {
				return true
			}
		case gotoken.IDENT:
			name = w.lit
		case gotoken.PERIOD:
			name = "."
		case gotoken.LPAREN, gotoken.SEMICOLON, gotoken.COMMENT:
		default:
			return w.tok == gotoken.RPAREN
		}
	}
	return false
}

// goUses says whether a use of os, which starts at its member, is known to touch only
// the workspace and temporary directories.
func goUses(words []goWord, places *effect.Places) bool {
	name := words[0].lit
	reads, writes := hasWord(goReads, name), hasWord(goWrites, name)
	switch {
	case hasWord(goTells, name):
		return true
	case !reads && !writes, len(words) < 4, words[1].tok != gotoken.LPAREN, words[2].tok != gotoken.STRING, words[3].tok != gotoken.COMMA && words[3].tok != gotoken.RPAREN:
		return false
	}
	word, err := strconv.Unquote(words[2].lit)
	if err != nil || word == "" || strings.ContainsAny(word, "\x00\x01\x02\x03\x04\x05~") {
		return false
	}
	zone, secret, protected := places.Where(places.Resolve(places.Cwd, word))
	return (zone == effect.ZoneWorkspace || zone == effect.ZoneTemp || zone == effect.ZoneStream) && !secret && !(writes && protected)
}

// packagesBelow is the directory of a pattern for all packages below it, DIR/..., where that is
// none of the workspace's (go help packages).
func (m *machine) packagesBelow(word string) string {
	dir, ok := strings.CutSuffix(word, "/...")
	if !ok || m.prog != "go" || m.inRoots(dir) {
		return word
	}
	return dir + "/"
}
