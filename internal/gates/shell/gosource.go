package shell

import (
	goscanner "go/scanner"
	gotoken "go/token"
	"path"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file judges a program of Go that stands outside the workspace, where nobody
// reviews it: by the packages that it imports and, of os, by what it uses and the
// paths that it names. Everything else may do anything.

// goPackages are packages of Go's library that only compute from what they are given,
// or write to where the program itself writes (pkg.go.dev/std).
const goPackages = "bufio bytes cmp compress/bzip2 compress/flate compress/gzip compress/lzw compress/zlib container/heap container/list container/ring context crypto crypto/aes crypto/cipher crypto/ecdh crypto/ecdsa crypto/ed25519 crypto/elliptic crypto/hkdf crypto/pbkdf2 crypto/rsa crypto/sha3 crypto/subtle encoding encoding/ascii85 encoding/asn1 encoding/base32 encoding/gob encoding/pem go/ast go/constant go/format go/scanner go/token hash/maphash html/template image image/color image/color/palette image/draw image/gif image/jpeg image/png index/suffixarray log log/slog mime/quotedprintable net/mail net/netip net/url runtime testing/quick text/scanner text/template/parse unicode/utf16 crypto/md5 crypto/rand crypto/sha1 crypto/sha256 crypto/sha512 crypto/hmac encoding/base64 encoding/binary encoding/csv encoding/hex encoding/json encoding/xml errors flag fmt hash hash/adler32 hash/crc32 hash/crc64 hash/fnv html " +
	"io iter maps math math/big math/bits math/cmplx math/rand math/rand/v2 net/http os path path/filepath reflect regexp slices sort strconv strings sync sync/atomic text/tabwriter testing text/template time unicode unicode/utf8 unsafe unique"

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
	return goReaches(text, places, &goOwn{})
}

// goReaches is GoReaches for the line: packages of the workspace are followed if nothing that ran
// before may have changed them.
func (m *machine) goReaches(text string) bool {
	places := *m.p
	places.Cwd = m.cwd
	if files := m.ownFiles(); !files.first {
		places.TextOf = nil
	}
	return GoReaches(text, &places)
}

// goOwn are the packages of the workspace that are followed, each once.
type goOwn struct{ seen []string }

func goReaches(text string, places *effect.Places, own *goOwn) bool {
	words, ok := goWords(text)
	if !ok {
		return true
	}
	for i, w := range words {
		switch {
		case w.tok == gotoken.IMPORT && !goImports(words[i+1:], places, own):
			return true
		case w.tok == gotoken.IDENT && w.lit == "os" && i+2 < len(words) && words[i+1].tok == gotoken.PERIOD:
			if (i == 0 || words[i-1].tok != gotoken.PERIOD) && !goUses(words[i+2:], places) {
				return true
			}
		case w.tok == gotoken.IDENT && hasWord("ParseFiles ParseGlob ParseFS", w.lit): // of templates
			return true
		case w.tok == gotoken.IDENT && (w.lit == "unsafe" || w.lit == "testing") && (i == 0 || words[i-1].tok != gotoken.PERIOD):
			if i+2 >= len(words) || words[i+1].tok != gotoken.PERIOD || !hasWord("Sizeof Alignof Offsetof B Benchmark BenchmarkResult AllocsPerRun", words[i+2].lit) {
				return true
			}
		case w.tok == gotoken.IDENT && w.lit == "http" && (i == 0 || words[i-1].tok != gotoken.PERIOD):
			if i+2 >= len(words) || words[i+1].tok != gotoken.PERIOD || !goAsksHere(words[i+2:]) {
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
// name, and so do others of which only some names may be used; nothing is taken out of a package without its name.
func goImports(words []goWord, places *effect.Places, own *goOwn) bool {
	if len(words) == 0 {
		return false
	}
	group := words[0].tok == gotoken.LPAREN
	name := ""
	for _, w := range words {
		switch w.tok {
		case gotoken.STRING:
			mod, err := strconv.Unquote(w.lit)
			if err != nil || !hasWord(goPackages, mod) && !own.computes(mod, places) || name == "." || hasWord("os net/http unsafe testing", mod) && name != "" {
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

// goAsksHere says whether a use of net/http, which starts at its member, is one of its constants, or
// gets what this machine serves by an address that stands there.
func goAsksHere(words []goWord) bool {
	if strings.HasPrefix(words[0].lit, "Status") {
		return true
	}
	if words[0].lit != "Get" || len(words) < 4 || words[1].tok != gotoken.LPAREN || words[2].tok != gotoken.STRING || words[3].tok != gotoken.RPAREN {
		return false
	}
	addr, err := strconv.Unquote(words[2].lit)
	return err == nil && addressHere(addr, true)
}

// goBuilt are endings of other files that become a part of a package (go/build, Package).
const goBuilt = ".c .cc .cpp .cxx .f .f90 .for .m .s .swig .swigcxx .sx .syso"

// mainModule says whether what go builds in the current directory takes packages of the module at
// a root from there: no other module is nearer, and no workspace of Go says where modules are.
func mainModule(root string, places *effect.Places) bool {
	if places.Cwd != root && !strings.HasPrefix(places.Cwd, root+"/") {
		return false
	}
	for dir := places.Cwd; ; dir = path.Dir(dir) {
		if _, ok := places.TextOf(dir + "/go.mod"); ok && len(dir) > len(root) {
			return false
		}
		if _, ok := places.TextOf(path.Join(dir, "go.work")); ok {
			return false
		}
		if len(dir) <= 1 {
			return true
		}
	}
}

// computes says whether a package is one of the workspace's of which no file reaches more than
// its text shows: each is read, whatever it is built for.
func (own *goOwn) computes(mod string, places *effect.Places) bool {
	if places.TextOf == nil || places.NamesOf == nil {
		return false
	}
	for _, root := range places.Roots {
		text, ok := places.TextOf(root + "/go.mod")
		rest, of := strings.CutPrefix(text, "module ")
		name, _, _ := cutAt(rest, "\n")
		if name = strings.TrimSpace(name); !ok || !of || name == "" || mod != name && !strings.HasPrefix(mod, name+"/") {
			continue
		}
		if !mainModule(root, places) {
			return false
		}
		dir := root + strings.TrimPrefix(mod, name)
		if contains(dir, own.seen...) {
			return true
		}
		if own.seen = append(own.seen, dir); len(own.seen) > maxOwnFiles {
			return false
		}
		sources := 0
		for _, file := range places.NamesOf(dir) {
			switch {
			case strings.HasSuffix(file, "_test.go"):
			case strings.HasSuffix(file, ".go"):
				source, ok := places.TextOf(dir + "/" + file)
				if sources++; !ok || goReaches(source, places, own) {
					return false
				}
			case hasWord(goBuilt, strings.ToLower(path.Ext(file))):
				return false
			}
		}
		return sources > 0
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
