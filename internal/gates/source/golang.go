package source

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path"
	"slices"
	"strconv"
	"strings"
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

// goNever are methods of what those packages give that change more than the program's own, or call by a name.
const goNever = "Chdir Chmod Chown SyscallConn MethodByName ParseFiles ParseGlob ParseFS AddParseTree CopyFS AddFS NewAt UnsafeAddr UnsafePointer SetPointer"

// goReader reads one file.
type goReader struct {
	*goProgram
	packages map[string]string   // by the name that the file has for them
	values   map[string]ast.Expr // of names that are given one, once
	given    map[string]int
	shadows  map[string]bool   // names that something of the program's own has
	members  map[ast.Node]bool // fields of structures and methods, which have names of their own
	globals  map[string]bool   // variables of the package, as far as they stand in the file
	checked  map[string]bool   // directories that the program made, and ended if it could not
	fine     map[ast.Node]bool // selections that stand where they are called with paths
}

// computes says whether the text of a file of a package does nothing but what the package's comment names.
func (p *goProgram) computes(text string) bool {
	file, err := parser.ParseFile(gotoken.NewFileSet(), "", text, parser.ParseComments)
	return err == nil && plainDirectives(file) && p.reads(file)
}

// plainDirectives says whether no comment of a file says more than what it is built for (go doc compile, Directives).
func plainDirectives(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") && !strings.HasPrefix(c.Text, "//go:build ") && c.Text != "//go:noinline" || strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "//export ") {
				return false
			}
		}
	}
	return true
}

// reads is computes for a file that is parsed.
func (p *goProgram) reads(file *ast.File) bool {
	r := goReader{goProgram: p, globals: goGlobals(file), packages: map[string]string{}, values: map[string]ast.Expr{}, given: map[string]int{}, shadows: map[string]bool{}, members: map[ast.Node]bool{}, checked: map[string]bool{}, fine: map[ast.Node]bool{}}
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

// imports notes a package, and says whether it is listed, or one of the workspace's that computes.
func (r *goReader) imports(spec *ast.ImportSpec) bool {
	mod, err := strconv.Unquote(spec.Path.Value)
	name, listed := path.Base(mod), hasWord(goWhole, mod) || goSome[mod] != ""
	switch {
	case err != nil:
		return false
	case mod == "math/rand/v2":
		name = "rand"
	case !listed:
		if name, listed = r.follow(mod); !listed {
			return false
		}
	}
	if spec.Name != nil {
		name = spec.Name.Name
	}
	r.packages[name] = mod
	return name != "."
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
