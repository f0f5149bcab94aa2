package suite

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Counts are how many cases had each status, in the order of the first.
type Counts map[Status]int

// Cases is how many there were.
func (c Counts) Cases() int {
	n := 0
	for _, k := range c {
		n += k
	}
	return n
}

// JUnit writes results as the XML that test runners read: elements and attributes
// that both the schema of Jenkins (xunit plugin, junit-10.xsd) and that of Maven
// Surefire (surefire-test-report.xsd) have. The counts stand before the cases, so
// the cases go to a file of their own first and memory does not grow with them.
// Times are 0, so that the same results are the same bytes.
type JUnit struct {
	body   io.ReadWriteSeeker
	counts Counts
	err    error
}

// NewJUnit returns a report that keeps its cases in body, which is empty.
func NewJUnit(body io.ReadWriteSeeker) *JUnit { return &JUnit{body: body, counts: Counts{}} }

type junitCase struct {
	XMLName xml.Name   `xml:"testcase"`
	Name    string     `xml:"name,attr"`
	Class   string     `xml:"classname,attr"`
	Time    string     `xml:"time,attr"`
	Skipped *junitText `xml:"skipped,omitempty"`
	Error   *junitText `xml:"error,omitempty"`
	Failure *junitText `xml:"failure,omitempty"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Add adds a result.
func (j *JUnit) Add(r *Result) {
	j.counts[r.Status]++
	if j.err != nil {
		return
	}
	c := junitCase{Class: "gbt.suite", Time: "0"}
	if r.Case != nil {
		c.Class, c.Name = "gbt."+string(r.Case.Kind), r.Case.ID+" "+r.Case.Call
	} else {
		c.Name = r.Err.Error()
	}
	text := &junitText{Message: r.Headline(), Type: string(r.Status), Text: strings.Join(r.Explain(), "\n")}
	switch {
	case r.Status == Open:
		c.Skipped = &junitText{Message: text.Message}
	case r.Status == Unreadable:
		c.Error = text
	case r.Status.Found():
		c.Failure = text
	}
	data, err := xml.Marshal(&c)
	if err == nil {
		_, err = j.body.Write(append(data, '\n'))
	}
	j.err = err
}

// Write writes the report.
func (j *JUnit) Write(w io.Writer) error {
	if j.err != nil {
		return j.err
	}
	if _, err := j.body.Seek(0, io.SeekStart); err != nil {
		return err
	}
	failed := j.counts[Readmitted] + j.counts[Stricter] + j.counts[Lost]
	var head bytes.Buffer
	fmt.Fprintf(&head, "%s<testsuites>\n<testsuite name=\"gbt replay\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"0\">\n",
		xml.Header, j.counts.Cases(), failed, j.counts[Unreadable], j.counts[Open])
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	if _, err := io.Copy(w, j.body); err != nil {
		return err
	}
	_, err := io.WriteString(w, "</testsuite>\n</testsuites>\n")
	return err
}
