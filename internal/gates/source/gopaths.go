package source

import (
	"go/ast"
	gotoken "go/token"
	"path"
	"strconv"
	"strings"
)

// This file says which paths a program of Go may give to functions of os.

// Functions of os by what they do with the paths that they are given.
const (
	goReads  = "Open ReadFile ReadDir Stat Lstat"
	goWrites = "Create WriteFile OpenFile Truncate"
	goMakes  = "Mkdir MkdirAll"
	goOwn    = "Remove RemoveAll Rename" // in a directory of the program's own alone
)

// calls says whether a call of a function of os touches only files that it may.
func (r *goReader) calls(mod, name string, args []ast.Expr) bool {
	if mod == "net/http" && name == "Get" && len(args) == 1 {
		addr, ok := literal(args[0])
		return ok && r.places.Cwd != "" && servedHere(addr)
	}
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
	word = r.below(word)
	return ok && (hasWord(goReads, name) && mayTouch(word, false, r.places) || hasWord(goWrites, name) && mayTouch(word, true, r.places))
}

// below is the path that a name stands for where the program is started, if somebody knows where: such a
// name goes down, so that it leads nowhere else from another directory of the workspace.
func (r *goReader) below(word string) string {
	if word == "" || word[0] == '/' || r.places.Cwd == "" || strings.Contains(word, "..") {
		return word
	}
	return r.places.Cwd + "/" + word
}

// servedHere says whether an address is one that this machine serves by http.
func servedHere(addr string) bool {
	rest, ok := strings.CutPrefix(addr, "http://")
	host, _, _ := strings.Cut(rest, "/")
	name, port, _ := strings.Cut(host, ":")
	return ok && hasWord("localhost 127.0.0.1", name) && strings.Trim(port, "0123456789") == ""
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
