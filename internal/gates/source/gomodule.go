package source

import (
	"go/parser"
	gotoken "go/token"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file follows a program of Go into packages of the workspace's own module, each file of which is
// read as the program is. Which module that is hangs on the directory in which go is started.

// goProgram is a program while it is read.
type goProgram struct {
	places *effect.Places
	seen   []string // directories of packages that are followed, each once
}

// maxPackages bounds the packages that are followed.
const maxPackages = 24

// goBuilt are endings of other files that become a part of a package (go/build, Package).
const goBuilt = ".c .cc .cpp .cxx .f .f90 .for .m .s .swig .swigcxx .sx .syso"

// follow reads a package that is imported by a path, and says what its files call it. Each is read, whatever it is
// built for.
func (p *goProgram) follow(mod string) (name string, ok bool) {
	dir, ok := p.dirOf(mod)
	if !ok {
		return "", false
	}
	first := !slices.Contains(p.seen, dir)
	if p.seen = append(p.seen, dir); len(p.seen) > maxPackages {
		return "", false
	}
	for _, file := range p.places.NamesOf(dir) {
		switch {
		case strings.HasSuffix(file, "_test.go"):
		case strings.HasSuffix(file, ".go"):
			text, ok := p.places.TextOf(dir + "/" + file)
			of, said := packageOf(text)
			if !ok || !said || name != "" && of != name || first && !p.computes(text) {
				return "", false
			}
			name = of
		case hasWord(goBuilt, strings.ToLower(path.Ext(file))):
			return "", false
		}
	}
	return name, name != ""
}

// packageOf is the package that a file says it is of.
func packageOf(text string) (string, bool) {
	file, err := parser.ParseFile(gotoken.NewFileSet(), "", text, parser.PackageClauseOnly)
	if err != nil {
		return "", false
	}
	return file.Name.Name, true
}

// dirOf is where a package of the workspace lies, if what go builds takes it from there: no other module
// is nearer to where go starts or to the package, and no workspace of Go says where modules are.
func (p *goProgram) dirOf(mod string) (string, bool) {
	if p.places.Cwd == "" || p.places.TextOf == nil || p.places.NamesOf == nil || strings.Contains(mod, "..") {
		return "", false
	}
	for _, root := range p.places.Roots {
		name, ok := p.module(root)
		if !ok || mod != name && !strings.HasPrefix(mod, name+"/") {
			continue
		}
		dir := root + strings.TrimPrefix(mod, name)
		return dir, p.alone(p.places.Cwd, root) && p.alone(dir, root)
	}
	return "", false
}

// module is the name of the module at a root, as its first line says it.
func (p *goProgram) module(root string) (string, bool) {
	text, ok := p.places.TextOf(root + "/go.mod")
	line, _, _ := strings.Cut(text, "\n")
	name, of := strings.CutPrefix(line, "module ")
	name = strings.TrimSpace(name)
	return name, ok && of && name != ""
}

// alone says whether a directory lies in the module at a root and in no other, and no workspace of Go
// lies above it.
func (p *goProgram) alone(dir, root string) bool {
	if dir != root && !strings.HasPrefix(dir, root+"/") {
		return false
	}
	for ; ; dir = path.Dir(dir) {
		if _, ok := p.places.TextOf(dir + "/go.mod"); ok && len(dir) > len(root) {
			return false
		}
		if _, ok := p.places.TextOf(path.Join(dir, "go.work")); ok {
			return false
		}
		if len(dir) <= 1 {
			return true
		}
	}
}
