package source

import (
	"path"
	"strings"
	"sync"

	"github.com/gbt-policy/gbt/gates/effect"
)

// maxText bounds the texts that are read.
const maxText = 64 << 10

// Reader is an effect.Compiled.
type Reader struct{}

// Computes says whether a program, the text of a file of that name, does nothing but compute,
// print and what else the package's comment names. places must be normal.
func (Reader) Computes(file, text string, places *effect.Places) bool {
	if len(text) > maxText || strings.IndexByte(text, 0) >= 0 {
		return false
	}
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	switch path.Ext(file) {
	case ".go":
		of, ok := packageOf(text)
		return ok && of == "main" && (&goProgram{places: places}).computes(text)
	case ".java":
		return javaComputes(text, places)
	case ".rs":
		return rustComputes(text, places)
	case ".c":
		return cComputes(text, false, places)
	case ".cc", ".cpp", ".cxx", ".C":
		return cComputes(text, true, places)
	}
	return false
}

// mayTouch says whether a program may touch a file by a literal name: what it reads lies in the
// workspace or a temporary directory and is no secret, and what it writes is data by its ending,
// which nothing takes for code or for settings. The name says all of the path, as nobody knows
// in which directory the program will run.
func mayTouch(word string, writes bool, places *effect.Places) bool {
	if word == "" || word[0] != '/' || strings.ContainsAny(word, "\x00\x01\x02\x03\x04\x05\\~%$") || strings.Contains(word, "://") {
		return false
	}
	full := places.Resolve(places.Cwd, word)
	zone, secret, protected := places.Where(full)
	if secret || zone != effect.ZoneWorkspace && zone != effect.ZoneTemp {
		return false
	}
	return !writes || !protected && hasWord(dataEndings, strings.ToLower(path.Ext(full)))
}

// dataEndings are endings of files that hold data and nothing that a tool goes by.
const dataEndings = ".bmp .csv .dat .log .pgm .png .ppm .svg .tsv"

// set is a set of words.
func set(lists ...string) map[string]bool {
	out := map[string]bool{}
	for _, list := range lists {
		for _, w := range strings.Fields(list) {
			out[w] = true
		}
	}
	return out
}

// once is a value that is made when it is first asked for. Unlike what a variable of the package is
// given, programs that do not ask do not link what makes it.
type once[T any] struct {
	sync.Once
	made *T
}

func (o *once[T]) get(make func() *T) *T {
	o.Do(func() { o.made = make() })
	return o.made
}

// hasWord says whether a list of words has one.
func hasWord(list, w string) bool {
	return w != "" && !strings.Contains(w, " ") && strings.Contains(" "+list+" ", " "+w+" ")
}
