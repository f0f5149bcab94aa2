package programs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A problem is something wrong in a file, with what to do about it.
type problem struct {
	file string
	line int
	text string
}

func (p problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.file, p.line, p.text) }

// reader reads one file and keeps all that is wrong in it.
type reader struct {
	file     string
	problems []problem
}

func (r *reader) wrong(line int, format string, args ...any) {
	r.problems = append(r.problems, problem{r.file, line, fmt.Sprintf(format, args...)})
}

// Read reads every program of a folder, sorted by name. The error joins all
// that is wrong, sorted by file and line.
func Read(dir fs.FS) ([]Program, error) {
	files, err := fs.Glob(dir, "*.yaml")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no program: the folder holds no file NAME.yaml")
	}
	var list []Program
	var problems []problem
	for _, file := range files {
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return nil, err
		}
		r := &reader{file: file}
		list = append(list, r.program(text))
		problems = append(problems, r.problems...)
	}
	slices.SortFunc(list, func(a, b Program) int { return strings.Compare(a.Name, b.Name) })
	problems = append(problems, twice(list)...)
	slices.SortStableFunc(problems, func(a, b problem) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	all := make([]error, len(problems))
	for i, p := range problems {
		all[i] = p
	}
	return list, errors.Join(all...)
}

// twice finds names that two programs have.
func twice(list []Program) (problems []problem) {
	owner := map[string]string{}
	for _, p := range list {
		names := []string{p.Name}
		for _, a := range p.Also {
			names = append(names, a.Name)
		}
		for _, n := range names {
			if first, ok := owner[n]; ok {
				problems = append(problems, problem{p.File, 1, fmt.Sprintf("%q is a program of %s already: keep one of them", n, first)})
				continue
			}
			owner[n] = p.File
		}
	}
	return problems
}

func (r *reader) program(text []byte) Program {
	p := Program{File: r.file, Name: strings.TrimSuffix(path.Base(r.file), ".yaml")}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) == 0 {
		r.wrong(1, "is no YAML: %v", err)
		return p
	}
	p.set = map[string]bool{}
	p.line = 1
	for _, f := range r.fields(doc.Content[0], "the program") {
		r.programKey(&p, f)
	}
	if !p.set["name"] || p.Name == "" {
		r.wrong(1, "has no name: write name: and what is typed")
	}
	if !p.set["source"] {
		r.wrong(1, "has no source: open the manual and say which; a program whose source nobody opened has no file")
	}
	if p.set["source"] && len(p.Examples) == 0 {
		r.wrong(1, "has no example: write one line and what it must be read as below examples:")
	}
	for key := range p.set {
		if p.Language && strings.Contains(", "+entryKeys+", ", ", "+key+", ") {
			r.wrong(1, "has arguments: language and %s: the one says that Go code reads them, the other what they are", key)
		}
	}
	r.inherit(&p)
	r.checkEntry(&p.Entry, p.Name)
	r.checkUnlisted(&p.Entry, p.Name)
	return p
}

func (r *reader) programKey(p *Program, f field) {
	p.set[f.key] = true
	switch f.key {
	case "name":
		p.Name = r.text(f)
	case "also":
		p.Also = r.aliases(f)
	case "source":
		p.Source = r.source(f)
	case "action":
		p.Action = r.text(f)
	case "arguments":
		p.Language = r.oneOf(f, []string{"language"}) != ""
	case "examples":
		p.Examples = r.examples(f)
	default:
		r.entryKey(&p.Entry, f)
	}
}

func (r *reader) aliases(f field) (list []Alias) {
	for _, n := range r.items(f) {
		var a Alias
		for _, g := range r.fields(n, "a name in also") {
			switch g.key {
			case "name":
				a.Name = r.text(g)
			case "source":
				a.Source = r.text(g)
			default:
				r.unknown(g, "name, source")
			}
		}
		if a.Name == "" || a.Source == "" {
			r.wrong(n.Line, "another name needs name: and source:, the text that says that it is the same program")
		}
		list = append(list, a)
	}
	return list
}

// sourceKinds are the kinds of sources, and what each must say.
var sourceKinds = []string{"man page", "help text", "completion", "document"}

func (r *reader) source(f field) (s Source) {
	if f.value.Kind == yaml.ScalarNode {
		r.wrong(f.line, "source: %s: write kind, package, version, page and sha256 of what was opened", f.value.Value)
		return Source{}
	}
	for _, g := range r.fields(f.value, "source") {
		switch g.key {
		case "kind":
			s.Kind = r.oneOf(g, sourceKinds)
		case "package":
			s.Package = r.text(g)
		case "version":
			s.Version = r.text(g)
		case "page":
			s.Page = r.text(g)
		case "sha256":
			s.SHA256 = r.text(g)
			if len(s.SHA256) != 64 || strings.Trim(s.SHA256, "0123456789abcdef") != "" {
				r.wrong(g.line, "sha256: 64 digits 0-9 and a-f, as sha256sum prints them")
			}
		default:
			r.unknown(g, "kind, package, version, page, sha256")
		}
	}
	if s.Kind == "" || s.Version == "" || s.Page == "" || s.SHA256 == "" {
		r.wrong(f.line, "source lacks kind, version, page or sha256: what was opened must be found again")
	}
	return s
}

func (r *reader) examples(f field) (list []Example) {
	for _, n := range r.items(f) {
		e := Example{Line: n.Line}
		for _, g := range r.fields(n, "an example") {
			switch g.key {
			case "run":
				e.Run = r.text(g)
			case "gives":
				e.Gives = r.texts(g)
			case "asks":
				e.Asks = r.oneOf(g, []string{"true"}) == "true"
			default:
				r.unknown(g, "run, gives, asks")
			}
		}
		if e.Run == "" || e.Asks == (len(e.Gives) > 0) {
			r.wrong(n.Line, "an example needs run:, and gives: with its effects or asks: true")
		}
		list = append(list, e)
	}
	return list
}
