package source

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads a program of Go by its syntax: packages that only compute may be used whole, of
// some others single names, and functions that take a path take a literal one, or one below a
// directory that the program made for itself (os.MkdirTemp).

// goWhole are packages of which anything may be used: what they reach they are given (pkg.go.dev/std, Go 1.26).
const goWhole = "bufio bytes cmp compress/bzip2 compress/flate compress/gzip compress/lzw compress/zlib container/heap container/list container/ring context crypto crypto/aes crypto/cipher crypto/des crypto/ecdh crypto/ecdsa crypto/ed25519 crypto/elliptic crypto/hkdf crypto/hmac crypto/md5 crypto/pbkdf2 crypto/rand crypto/rc4 crypto/rsa crypto/sha1 crypto/sha256 crypto/sha3 crypto/sha512 crypto/subtle " +
	"encoding encoding/ascii85 encoding/asn1 encoding/base32 encoding/base64 encoding/binary encoding/csv encoding/gob encoding/hex encoding/json encoding/pem encoding/xml errors flag fmt go/ast go/constant go/format go/scanner go/token hash hash/adler32 hash/crc32 hash/crc64 hash/fnv hash/maphash html image image/color image/color/palette image/draw image/gif image/jpeg image/png index/suffixarray io io/fs iter " +
	"log log/slog maps math math/big math/bits math/cmplx math/rand math/rand/v2 mime/quotedprintable net/mail net/netip net/url os/signal path reflect regexp regexp/syntax runtime slices sort strconv strings structs sync sync/atomic testing/fstest testing/quick text/scanner text/tabwriter time unicode unicode/utf16 unicode/utf8 unique weak"

// goSome are packages of which only these names may be used.
var goSome = map[string]string{
	"html/template":     "New Must FuncMap Template HTML JS CSS URL HTMLEscapeString JSEscapeString URLQueryEscaper",
	"text/template":     "New Must FuncMap Template HTMLEscapeString JSEscapeString URLQueryEscaper",
	"path/filepath":     "Join Base Dir Ext Clean Split SplitList Rel Match IsAbs IsLocal ToSlash FromSlash VolumeName Separator ListSeparator SkipDir SkipAll ErrBadPattern",
	"net":               "ParseIP ParseCIDR ParseMAC IP IPNet IPMask CIDRMask IPv4 IPv4Mask JoinHostPort SplitHostPort HardwareAddr ErrClosed",
	"net/http":          "Handler HandlerFunc ResponseWriter Request NewServeMux ServeMux Header Error NotFound Redirect NewRequest NewRequestWithContext StatusText Cookie SetCookie DetectContentType CanonicalHeaderKey NoBody StripPrefix",
	"net/http/httptest": "NewRecorder NewRequest ResponseRecorder",
	"os":                "Args DirEntry ErrExist ErrNotExist ErrPermission Exit File FileInfo FileMode Getpid Getwd Interrupt IsExist IsNotExist IsPermission ModeDir ModePerm O_APPEND O_CREATE O_EXCL O_RDONLY O_RDWR O_TRUNC O_WRONLY PathError PathSeparator Signal Stderr Stdin Stdout Getpagesize Hostname",
	"syscall":           "SIGHUP SIGINT SIGQUIT SIGTERM SIGUSR1 SIGUSR2 ENOENT EEXIST EINVAL EAGAIN",
	"runtime/debug":     "FreeOSMemory GCStats PrintStack ReadBuildInfo ReadGCStats SetGCPercent SetMaxStack SetMemoryLimit Stack",
	"testing":           "B Benchmark BenchmarkResult AllocsPerRun",
	"unsafe":            "Sizeof Alignof Offsetof",
}

// Functions of os by what they do with the paths that they are given.
const (
	goReads  = "Open ReadFile ReadDir Stat Lstat"
	goWrites = "Create WriteFile OpenFile Truncate"
	goMakes  = "Mkdir MkdirAll"
	goOwn    = "Remove RemoveAll Rename" // in a directory of the program's own alone
)

// goNever are methods of what those packages give that change more than the program's own, or call by a name.
const goNever = "Chdir Chmod Chown SyscallConn MethodByName ParseFiles ParseGlob ParseFS AddParseTree CopyFS AddFS NewAt UnsafeAddr UnsafePointer SetPointer"

// goReader reads one file.
type goReader struct {
	places   *effect.Places
	packages map[string]string   // by the name that the file has for them
	values   map[string]ast.Expr // of names that are given one, once
	given    map[string]int
	shadows  map[string]bool   // names that something of the program's own has
	members  map[ast.Node]bool // fields of structures and methods, which have names of their own
	globals  map[string]bool   // variables of the package, as far as they stand in the file
	checked  map[string]bool   // directories that the program made, and ended if it could not
	fine     map[ast.Node]bool // selections that stand where they are called with paths
}

func goComputes(text string, places *effect.Places) bool {
	file, err := parser.ParseFile(gotoken.NewFileSet(), "", text, parser.ParseComments)
	if err != nil || file.Name.Name != "main" {
		return false
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") && !strings.HasPrefix(c.Text, "//go:build ") && c.Text != "//go:noinline" || strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "//export ") {
				return false
			}
		}
	}
	r := goReader{places: places, globals: goGlobals(file), packages: map[string]string{}, values: map[string]ast.Expr{}, given: map[string]int{}, shadows: map[string]bool{}, members: map[ast.Node]bool{}, checked: map[string]bool{}, fine: map[ast.Node]bool{}}
	for _, spec := range file.Imports {
		if !r.imports(spec) {
			return false
		}
	}
	ast.Inspect(file, r.gives)
	if r.shadows["nil"] || r.shadows["panic"] {
		return false
	}
	for name := range r.packages {
		if r.shadows[name] { // another thing has the name of a package
			return false
		}
	}
	ok := true
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, is := n.Fun.(*ast.SelectorExpr); is && (r.of(sel) != "" && r.calls(r.of(sel), sel.Sel.Name, n.Args) || r.of(sel) == "" && r.parses(sel.Sel.Name, n.Args)) {
				r.fine[sel] = true
			}
		case *ast.SelectorExpr:
			ok = ok && (r.fine[n] || r.selects(n))
		}
		return ok
	})
	return ok
}

// goGlobals are the names of a file's variables of the package.
func goGlobals(file *ast.File) map[string]bool {
	out := map[string]bool{}
	for _, d := range file.Decls {
		if group, ok := d.(*ast.GenDecl); ok && group.Tok == gotoken.VAR {
			for _, spec := range group.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					out[id.Name] = true
				}
			}
		}
	}
	return out
}

// imports notes a package, and says whether it is listed.
func (r *goReader) imports(spec *ast.ImportSpec) bool {
	mod, err := strconv.Unquote(spec.Path.Value)
	name := path.Base(mod)
	if mod == "math/rand/v2" {
		name = "rand"
	}
	if spec.Name != nil {
		name = spec.Name.Name
	}
	if err != nil || name == "." || !hasWord(goWhole, mod) && goSome[mod] == "" {
		return false
	}
	r.packages[name] = mod
	return true
}

// of is the package of which something is selected, empty for what is none.
func (r *goReader) of(sel *ast.SelectorExpr) string {
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
		return r.packages[id.Name]
	}
	return ""
}

// selects says whether a selection is one of the names of a package that may be used, or of a
// value's own.
func (r *goReader) selects(sel *ast.SelectorExpr) bool {
	mod := r.of(sel)
	switch {
	case hasWord(goNever, sel.Sel.Name):
		return false
	case mod == "":
		return !((sel.Sel.Name == "Method" || sel.Sel.Name == "Methods") && r.uses("reflect")) && !(sel.Sel.Name == "Parse" && r.uses("text/template", "html/template"))
	case goSome[mod] == "":
		return true
	case mod == "net/http" && (strings.HasPrefix(sel.Sel.Name, "Status") || strings.HasPrefix(sel.Sel.Name, "Method")):
		return true
	}
	return hasWord(goSome[mod], sel.Sel.Name)
}

// uses says whether the program has one of these packages.
func (r *goReader) uses(mods ...string) bool {
	for _, mod := range r.packages {
		if slices.Contains(mods, mod) {
			return true
		}
	}
	return false
}

// parses says whether a template is made of a text that calls nothing by such a name: in a template
// methods of what it is given are called by their names (pkg.go.dev/text/template, Functions).
func (r *goReader) parses(name string, args []ast.Expr) bool {
	if name != "Parse" || len(args) != 1 {
		return false
	}
	text, ok := r.text(args[0], 0)
	for _, w := range strings.Fields(goNever + " Parse") {
		ok = ok && !strings.Contains(text, w)
	}
	return ok
}

// gives notes what a name is given, and how often.
func (r *goReader) gives(n ast.Node) bool {
	give := func(e ast.Expr, value ast.Expr) {
		if e == nil {
			return
		}
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && id.Name != "_" {
			r.given[id.Name]++
			r.values[id.Name] = value
			r.shadows[id.Name] = r.shadows[id.Name] || !r.members[n]
		}
	}
	switch n := n.(type) {
	case *ast.BlockStmt:
		r.checks(n.List)
	case *ast.CaseClause:
		r.checks(n.Body)
	case *ast.StructType:
		r.apart(n.Fields)
	case *ast.InterfaceType:
		r.apart(n.Methods)
	case *ast.TypeSpec:
		give(n.Name, nil)
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			switch {
			case n.Tok != gotoken.DEFINE && n.Tok != gotoken.ASSIGN:
				give(e, nil)
			case len(n.Lhs) == len(n.Rhs):
				give(e, n.Rhs[i])
			case i == 0:
				give(e, n.Rhs[0])
			default:
				give(e, nil)
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			switch {
			case len(n.Values) == len(n.Names):
				give(id, n.Values[i])
			case i == 0 && len(n.Values) == 1:
				give(id, n.Values[0])
			default:
				give(id, nil)
			}
		}
	case *ast.Field:
		for _, id := range n.Names {
			give(id, nil)
		}
	case *ast.RangeStmt:
		give(n.Key, nil)
		give(n.Value, nil)
	case *ast.UnaryExpr:
		if n.Op == gotoken.AND {
			give(n.X, nil)
		}
	case *ast.FuncDecl:
		r.members[n] = n.Recv != nil
		give(n.Name, nil)
	}
	return true
}

// apart notes members, whose names stand for nothing else.
func (r *goReader) apart(fields *ast.FieldList) {
	for _, f := range fields.List {
		r.members[f] = true
	}
}

// checks notes directories that the program makes and ends if it cannot: without one the name is empty, and
// what is joined to it lies elsewhere.
func (r *goReader) checks(list []ast.Stmt) {
	for i := 0; i+1 < len(list); i++ {
		made, ok := list[i].(*ast.AssignStmt)
		test, is := list[i+1].(*ast.IfStmt)
		if !ok || !is || made.Tok != gotoken.DEFINE || len(made.Lhs) != 2 || test.Init != nil || len(test.Body.List) == 0 || !r.ends(test.Body.List[len(test.Body.List)-1]) {
			continue
		}
		cond, ok := test.Cond.(*ast.BinaryExpr)
		if ok && cond.Op == gotoken.NEQ && names(cond.X, identName(made.Lhs[1])) && names(cond.Y, "nil") && !mentions(test.Body, identName(made.Lhs[0])) {
			r.checked[identName(made.Lhs[0])] = true
		}
	}
}

// ends says whether a statement leaves the function, by return or by panic, log.Fatal or os.Exit.
func (r *goReader) ends(s ast.Stmt) bool {
	if _, ok := s.(*ast.ReturnStmt); ok {
		return true
	}
	expr, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := expr.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		return r.of(sel) == "log" && strings.HasPrefix(sel.Sel.Name, "Fatal") || r.of(sel) == "os" && sel.Sel.Name == "Exit"
	}
	return names(call.Fun, "panic")
}

// mentions says whether a name stands somewhere in a part of the program.
func mentions(part ast.Node, name string) (found bool) {
	ast.Inspect(part, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// names says whether an expression is one name.
func names(e ast.Expr, name string) bool { return name != "" && name != "_" && identName(e) == name }

func identName(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// sure says whether a directory of the program's own is there: it ends where it could not make it.
func (r *goReader) sure(e ast.Expr, depth int) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return true // joined to one
	}
	if call, ok := r.values[id.Name].(*ast.CallExpr); ok && depth < maxNames {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return ok && (sel.Sel.Name == "Join" || r.checked[id.Name])
	}
	return depth < maxNames && r.values[id.Name] != nil && r.sure(r.values[id.Name], depth+1)
}

// calls says whether a call of a function of os touches only files that it may.
func (r *goReader) calls(mod, name string, args []ast.Expr) bool {
	if mod != "os" || len(args) == 0 {
		return false
	}
	switch {
	case name == "MkdirTemp" || name == "CreateTemp":
		where, ok := literal(args[0])
		return ok && where == "" && len(args) == 2 && r.plainName(args[1])
	case name == "Getenv" || name == "LookupEnv":
		what, ok := literal(args[0])
		return ok && hasWord("CI DEBUG GOARCH GOOS GOPATH HOME LANG N SHELL TERM USER VERBOSE", what)
	case name == "Rename":
		return len(args) == 2 && r.own(args[0], 0) && r.own(args[1], 0)
	case r.own(args[0], 0):
		return hasWord(goReads, name) || hasWord(goWrites, name) || hasWord(goMakes, name) || hasWord(goOwn, name)
	}
	word, ok := r.text(args[0], 0)
	return ok && (hasWord(goReads, name) && named(word, false, r.places) || hasWord(goWrites, name) && named(word, true, r.places))
}

// maxNames bounds the names that stand for each other.
const maxNames = 8

// fixed says whether a name stands for what it is given in this file: a constant, or a variable of a function. Other
// files may give variables of the package something else.
func (r *goReader) fixed(id *ast.Ident) bool {
	if r.given[id.Name] != 1 || r.values[id.Name] == nil || id.Obj == nil {
		return false
	}
	return id.Obj.Kind == ast.Con || !r.globals[id.Name]
}

// own says whether a path lies in a directory that the program made, whatever the system called it.
func (r *goReader) own(e ast.Expr, depth int) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return depth < maxNames && r.fixed(e) && r.own(r.values[e.Name], depth+1)
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok || len(e.Args) == 0 {
			return false
		}
		switch mod := r.of(sel); {
		case mod == "os" && sel.Sel.Name == "MkdirTemp":
			return r.calls(mod, "MkdirTemp", e.Args)
		case mod == "path/filepath" && sel.Sel.Name == "Join":
			for _, a := range e.Args[1:] {
				if !r.plainName(a) && !r.plainText(a) {
					return false
				}
			}
			return r.own(e.Args[0], depth) && r.sure(e.Args[0], 0)
		}
	case *ast.BinaryExpr:
		return e.Op == gotoken.ADD && r.own(e.X, depth) && r.sure(e.X, 0) && r.goesDown(e.Y)
	}
	return false
}

// goesDown says whether what is put behind a directory is a path within it, whatever is put behind that.
func (r *goReader) goesDown(e ast.Expr) bool {
	text, ok := r.text(e, 0)
	return ok && strings.HasPrefix(text, "/") && !strings.Contains(text, "..") && !strings.HasSuffix(text, ".")
}

// plainText says whether a value is a text that goes up nowhere.
func (r *goReader) plainText(e ast.Expr) bool {
	text, ok := r.text(e, 0)
	return ok && !strings.Contains(text, "..")
}

// text is the text that an expression stands for.
func (r *goReader) text(e ast.Expr, depth int) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return literal(e)
	case *ast.Ident:
		if depth < maxNames && r.fixed(e) {
			return r.text(r.values[e.Name], depth+1)
		}
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok || r.of(sel) != "path/filepath" || sel.Sel.Name != "Join" {
			return "", false
		}
		var parts []string
		for _, a := range e.Args {
			part, ok := r.text(a, depth)
			if !ok {
				return "", false
			}
			parts = append(parts, part)
		}
		return path.Join(parts...), true
	}
	return "", false
}

// literal is the text that stands there.
func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != gotoken.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// plainName says whether an expression is a part of a path that goes up nowhere: a text, or a number.
func (r *goReader) plainName(e ast.Expr) bool {
	if text, ok := literal(e); ok {
		return !strings.Contains(text, "..")
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Itoa" {
		return false
	}
	return r.of(sel) == "strconv"
}

// hasWord says whether a list of words has one.
func hasWord(list, w string) bool {
	return w != "" && !strings.Contains(w, " ") && strings.Contains(" "+list+" ", " "+w+" ")
}
