package distill

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The messages of go.yaml.in/yaml/v3 for keys that no field has and for values
// that do not fit one. They name Go types, which nobody who writes gbt.yaml knows.
var (
	yamlNoField = regexp.MustCompile(`^line (\d+): field (.*) not found in type (?:[\w.*\[\]]*\.)?(\w+)$`)
	yamlNoFit   = regexp.MustCompile(`^line (\d+): cannot unmarshal !!(\w+)(?: .*)? into (.*)$`)
)

// plainKeys says what is wrong with a file in its own words: line, key, and the
// nearest key that is known there.
func plainKeys(data []byte, err error) error {
	var typ *yaml.TypeError
	if !errors.As(err, &typ) {
		return err
	}
	lines := strings.Split(string(data), "\n")
	var out []string
	for _, e := range typ.Errors {
		out = append(out, plainKey(lines, e))
	}
	return errors.New(strings.Join(out, "; "))
}

func plainKey(lines []string, message string) string {
	if m := yamlNoField.FindStringSubmatch(message); m != nil {
		known := keysOf(reflect.TypeFor[Config](), m[3])
		if near := nearest(m[2], known); near != "" {
			return fmt.Sprintf("line %s: no key %q; the nearest one is %s", m[1], m[2], near)
		}
		return fmt.Sprintf("line %s: no key %q here; give one of %s", m[1], m[2], strings.Join(known, ", "))
	}
	if m := yamlNoFit.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("line %s: %s%s does not belong here; give %s", m[1], keyOn(lines, m[1]), yamlKind(m[2]), wantedKind(m[3]))
	}
	return message
}

// keyOn is the key that stands on a line, with a colon, or nothing.
func keyOn(lines []string, number string) string {
	n := 0
	fmt.Sscan(number, &n)
	if n < 1 || n > len(lines) {
		return ""
	}
	key, _, ok := strings.Cut(strings.TrimLeft(lines[n-1], " -"), ":")
	if !ok || strings.ContainsAny(key, " \t\"'#{[") {
		return ""
	}
	return key + ": "
}

func yamlKind(tag string) string {
	switch tag {
	case "seq":
		return "a list"
	case "map":
		return "a set of keys"
	case "int", "float":
		return "a number"
	case "bool":
		return "a yes or no"
	case "null":
		return "nothing"
	}
	return "text"
}

func wantedKind(goType string) string {
	switch t := strings.TrimLeft(goType, "*"); {
	case strings.HasPrefix(t, "[]"):
		return "a list"
	case t == "string":
		return "text"
	case t == "bool":
		return "true or false"
	case strings.HasPrefix(t, "int"), strings.HasPrefix(t, "uint"), strings.HasPrefix(t, "float"):
		return "a number"
	}
	return "a set of keys"
}

// keysOf lists the keys of the struct with a name below t, in their order.
func keysOf(t reflect.Type, name string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var keys []string
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if key == "" || key == "-" {
			continue
		}
		keys = append(keys, key)
		if t.Name() != name {
			if found := keysOf(f.Type, name); found != nil {
				return found
			}
		}
	}
	if t.Name() == name {
		return keys
	}
	return nil
}

// nearest is the key that is fewest letters away, if that is less than half of
// the word (edit distance; Levenshtein 1966).
func nearest(word string, keys []string) string {
	best, at := "", (len(word)+1)/2
	for _, k := range keys {
		if d := distance(word, k); d < at {
			best, at = k, d
		}
	}
	return best
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal, row[j] = row[j], min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
