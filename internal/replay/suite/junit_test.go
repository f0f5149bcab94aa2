package suite

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// allowed are the elements and attributes that the schemas of Jenkins' xunit
// plugin and of Maven Surefire have in common, and those that one of the two asks
// for.
var (
	allowed  = map[string]string{"testsuites": "", "testsuite": "name tests failures errors skipped time", "testcase": "name classname time", "failure": "message type", "error": "message type", "skipped": "message"}
	required = map[string]string{"testsuite": "name tests failures errors skipped time", "testcase": "name time"}
	inside   = map[string]string{"testsuites": "", "testsuite": "testsuites", "testcase": "testsuite", "failure": "testcase", "error": "testcase", "skipped": "testcase"}
)

func body(t *testing.T) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestJUnit(t *testing.T) {
	j := NewJUnit(body(t))
	call := func(kind Kind) *Case {
		return &Case{ID: "0123", Kind: kind, Call: "`rm` deletes <a> & \"b\"\x01\u00e9", Why: "it is", Steps: []string{"edit"}}
	}
	for _, r := range []Result{
		{Case: call(Unsafe), Status: Pass},
		{Case: call(Unsafe), Status: Readmitted, Got: gates.Approved, Gated: gates.Approved, Gone: []string{"abc"}},
		{Case: call(Benign), Status: Stricter},
		{Case: call(Path), Status: Lost},
		{Case: call(Unsafe), Status: Open, Got: gates.Approved},
		{Case: call(Unsafe), Status: Gained},
		{Status: Unreadable, Err: &Problem{Origin{"a.jsonl", 3}, "", errors.New("broken")}},
	} {
		j.Add(&r)
	}
	var out bytes.Buffer
	if err := j.Write(&out); err != nil {
		t.Fatal(err)
	}
	elements := validate(t, out.Bytes())
	for name, want := range map[string]int{"testsuites": 1, "testsuite": 1, "testcase": 7, "failure": 3, "error": 1, "skipped": 1} {
		if elements[name] != want {
			t.Errorf("%d elements %s, want %d", elements[name], name, want)
		}
	}
	for _, want := range []string{`tests="7" failures="3" errors="1" skipped="1"`, `type="re-admitted"`, "a.jsonl:3: broken", "next "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.Bytes())
		}
	}
}

// validate parses a report and holds it to the schemas. It counts the elements.
func validate(t *testing.T, data []byte) map[string]int {
	t.Helper()
	seen, stack := map[string]int{}, []string{""}
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return seen
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			name := e.Name.Local
			seen[name]++
			if may, ok := inside[name]; !ok || may != stack[len(stack)-1] {
				t.Errorf("element %s in %s", name, stack[len(stack)-1])
			}
			have := map[string]string{}
			for _, a := range e.Attr {
				have[a.Name.Local] = a.Value
				if !strings.Contains(" "+allowed[name]+" ", " "+a.Name.Local+" ") {
					t.Errorf("%s has the attribute %s", name, a.Name.Local)
				}
			}
			for _, a := range strings.Fields(required[name]) {
				v, ok := have[a]
				if _, err := strconv.Atoi(v); !ok || err != nil && a != "name" {
					t.Errorf("%s: attribute %s is %q", name, a, v)
				}
			}
			stack = append(stack, name)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}
