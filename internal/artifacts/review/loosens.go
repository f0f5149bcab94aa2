package review

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/field"
)

// differ compares two values of a row. The name stands in front of changes; it
// is the row's own for messages that the row has no title for.
func differ(r *row, name string, old, new any) (changes []Change, alarms []string) {
	if judge, ok := judges[r.Section+"."+r.Name]; ok {
		return judge(name, old, new)
	}
	if was, ok := old.(*[]string); ok {
		return entriesDiffer(r, name, *was, *new.(*[]string))
	}
	changed(&changes, name, text(r, old), text(r, new))
	if changes == nil || r.Loosens == field.Never {
		return changes, nil
	}
	what := r.Title
	if what == "" {
		what = name
	}
	if s := loosened(r.Loosens, what, old, new); s != "" {
		alarms = append(alarms, s)
	}
	return changes, alarms
}

// entriesDiffer compares lists of texts, each once in its list, entry by entry.
func entriesDiffer(r *row, name string, old, new []string) (changes []Change, alarms []string) {
	label, what := name, name
	if r.Title != "" {
		section, _, _ := strings.Cut(name, ".")
		label, what = section+" "+r.Title, r.Title
	}
	added, removed, _ := split(old, new, func(s string) string { return s })
	for _, s := range added {
		changes = append(changes, Change{Name: label, New: quote(s)})
		if r.Loosens == field.More && !coveredPath(r, s, old) || r.Loosens == field.Any {
			alarms = append(alarms, what+" "+quote(s)+" is new")
		}
	}
	for _, s := range removed {
		changes = append(changes, Change{Name: label, Old: quote(s)})
		if r.Loosens == field.Less && !coveredPath(r, s, new) || r.Loosens == field.Any {
			alarms = append(alarms, what+" "+quote(s)+" is gone")
		}
	}
	if r.Section == "RAIL" && r.Name == "roots" && len(new) == 0 && len(old) > 0 {
		alarms = append(alarms, "workspace roots are gone: the host's own are used")
	}
	return changes, alarms
}

// coveredPath says whether a path of the guardrail's lists lies below another of
// a list, so that it says nothing that is not said already. Patterns with * and
// the like are not compared, nor names that stand for any directory.
func coveredPath(r *row, name string, list []string) bool {
	if r.Section != "RAIL" || !slices.Contains([]string{"roots", "protected", "sensitive"}, r.Name) {
		return false
	}
	return slices.ContainsFunc(list, func(above string) bool {
		return !strings.ContainsAny(name+above, `*?[\`) && !strings.Contains(name+"/", "/../") &&
			strings.HasPrefix(above, "/") && strings.HasPrefix(name, strings.TrimSuffix(above, "/")+"/")
	})
}

// loosened says in what a value that differs is looser, nothing if it is not.
func loosened(l field.Loosens, what string, old, new any) string {
	was, isNumber := number(old)
	is, _ := number(new)
	switch {
	case !isNumber || l == field.Any || l == field.Judged:
		return fmt.Sprintf("%s is another: it was %v and is %v", what, value(old), value(new))
	case l == field.More && is > was:
		return fmt.Sprintf("%s raised from %v to %v", what, value(old), value(new))
	case l == field.Less && is < was:
		return fmt.Sprintf("%s lowered from %v to %v", what, value(old), value(new))
	}
	return ""
}

// number reads a number or a boolean.
func number(p any) (int64, bool) {
	v := reflect.ValueOf(p).Elem()
	switch {
	case v.CanInt():
		return v.Int(), true
	case v.CanUint():
		return int64(v.Uint()), true
	case v.Kind() == reflect.Bool && v.Bool():
		return 1, true
	}
	return 0, v.Kind() == reflect.Bool
}

// one compares rows of a section that is a record.
func (c *comparison) one(rows []row, prefix string, out *[]Change) {
	c.pair(rows, prefix, out, 0, 0)
}

// pair compares rows of element i of the old list with those of j of the new.
func (c *comparison) pair(rows []row, prefix string, out *[]Change, i, j int) {
	for k := range rows {
		r := &rows[k]
		changes, alarms := differ(r, prefix+r.Name, r.At(c.a.p, i), r.At(c.b.p, j))
		*out = append(*out, changes...)
		c.rows(r, alarms)
	}
}

// moreByKey compares what nothing else lays out of the elements that are in a list
// of both policies; prefix and the quoted key stand in front of a field's name.
func (c *comparison) moreByKey(tag, prefix string, out *[]Change, old, new int, key func(*artifacts.Policy, int) string) {
	rows := c.table.more[tag]
	if len(rows) == 0 {
		return
	}
	at := map[string]int{}
	for i := range old {
		at[key(c.a.p, i)] = i
	}
	for j := range new {
		if i, ok := at[key(c.b.p, j)]; ok {
			c.pair(rows, prefix+quote(key(c.b.p, j))+".", out, i, j)
		}
	}
}

func (c *comparison) moreGates(out *[]Change) {
	c.moreByKey("GATE", "gate ", out, len(c.a.p.Gates), len(c.b.p.Gates), func(p *artifacts.Policy, i int) string { return p.Gates[i].ID })
}

func (c *comparison) moreSchemas(out *[]Change) {
	c.moreByKey("SCHM", "schema ", out, len(c.a.p.Schemas), len(c.b.p.Schemas), func(p *artifacts.Policy, i int) string { return p.Schemas[i].Name })
}
