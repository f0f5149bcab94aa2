package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCheckAnswersWhileItWaits: a host writes a call and waits for its answer
// before it writes the next; the log has the decision by then.
func TestCheckAnswersWhileItWaits(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	log := filepath.Join(t.TempDir(), "log.jsonl")
	done := make(chan int, 1)
	go func() {
		done <- run([]string{"gbt", "check", "--shell", "--log", log}, inR, outW, io.Discard)
		outW.Close()
	}()
	answers := bufio.NewReader(outR)
	for i := range 3 {
		got := make(chan string, 1)
		go func() {
			fmt.Fprintf(inW, "{\"id\":%d,\"command\":\"ls\"}\n", i)
			line, err := answers.ReadString('\n')
			got <- fmt.Sprint(line, err)
		}()
		select {
		case line := <-got:
			if !strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,"disposition":"approved"`, i)) {
				t.Fatal(line)
			}
		case <-time.After(time.Minute):
			t.Fatal("no answer while standard input is open")
		}
		if data, err := os.ReadFile(log); err != nil || bytes.Count(data, []byte("\n")) != i+1 {
			t.Errorf("log has %d lines after %d answers: %v", bytes.Count(data, []byte("\n")), i+1, err)
		}
	}
	inW.Close()
	if code := <-done; code != 0 {
		t.Errorf("exit status %d", code)
	}
}

// TestCheckLongLines: a line of a megabyte is judged, one past the limit is
// refused, and both leave the next line alone.
func TestCheckLongLines(t *testing.T) {
	var in bytes.Buffer
	fmt.Fprintf(&in, `{"id":1,"tool":"Write","args":{"file_path":"/w/x","content":"%s"},"cwd":"/w"}`+"\n", strings.Repeat("a", 1<<20))
	fmt.Fprintf(&in, `{"id":2,"tool":"Write","args":{"content":"%s"}}`+"\n", strings.Repeat("a", maxLine))
	fmt.Fprintf(&in, `{"id":3,"tool":"Bash","args":{"command":"echo %s"},"cwd":"/w"}`+"\n", strings.Repeat("a", 1<<20))
	fmt.Fprintln(&in, `{"id":4,"tool":"Read","args":{"file_path":"/w/x"},"cwd":"/w"}`)
	var out, errs bytes.Buffer
	if code := run([]string{"gbt", "check"}, &in, &out, &errs); code != 0 {
		t.Fatalf("exit status %d: %s", code, errs.String())
	}
	want := []string{`1 approved`, `null rejected`, `3 revision_required`, `4 approved`}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d answers", len(lines))
	}
	for i, l := range lines {
		var a struct {
			ID          json.RawMessage
			Disposition string
			Reasons     []any
			Effects     []any
		}
		if err := json.Unmarshal([]byte(l), &a); err != nil || fmt.Sprint(string(a.ID), " ", a.Disposition) != want[i] || a.Reasons == nil || a.Effects == nil {
			t.Errorf("answer %d: %.200s, want %s (%v)", i, l, want[i], err)
		}
	}
}

// TestCheckAmbiguous: a call that two readers could take for different ones is
// never approved.
func TestCheckAmbiguous(t *testing.T) {
	for _, args := range []string{
		`{"command":"rm -rf /","command":"ls"}`, `{"command":"ls","Command":"rm -rf /"}`, `"{\"command\":\"ls\",\"COMMAND\":\"rm\"}"`,
		`{"command":"ls","more":[{"a":1,"a":2}]}`,
	} {
		var out, errs bytes.Buffer
		if code := run([]string{"gbt", "check"}, strings.NewReader(`{"id":1,"tool":"Bash","args":`+args+`,"cwd":"/w"}`+"\n"), &out, &errs); code != 0 {
			t.Fatalf("exit status %d: %s", code, errs.String())
		}
		if !strings.Contains(out.String(), `"disposition":"revision_required","reasons":[{"rule":"opaque/arguments"`) && !strings.Contains(out.String(), `"disposition":"rejected","reasons":[{"rule":"opaque/arguments"`) {
			t.Errorf("%s: %s", args, out.String())
		}
	}
}

// FuzzCheckLine: no line stops the run, and none that is no call is approved.
func FuzzCheckLine(f *testing.F) {
	f.Add([]byte(`{"id":1,"tool":"Bash","args":{"command":"ls"},"cwd":"/w"}`), false)
	f.Add([]byte(`{"id":{"a":[1e999]},"command":"rm -rf /"}`), true)
	f.Add([]byte(`{"id":"\ud800","tool":"x","untrusted":["a"],"task":"b","session":[1],"result":{"a":1}}`), false)
	f.Add([]byte(`[[[[`), true)
	f.Fuzz(func(t *testing.T, line []byte, shell bool) {
		if bytes.ContainsAny(line, "\n\r") || len(bytes.TrimSpace(line)) == 0 {
			return
		}
		args := []string{"gbt", "check"}
		if shell {
			args = append(args, "--shell")
		}
		var out bytes.Buffer
		if code := run(args, bytes.NewReader(append(line, '\n')), &out, io.Discard); code != 0 {
			t.Fatalf("exit status %d", code)
		}
		var a map[string]json.RawMessage
		if err := json.Unmarshal(out.Bytes(), &a); err != nil || bytes.Count(out.Bytes(), []byte("\n")) != 1 {
			t.Fatalf("%v: %s", err, out.Bytes())
		}
		if !json.Valid(line) && string(a["disposition"]) == `"approved"` {
			t.Fatalf("approved: %s", line)
		}
	})
}

// TestCheckLinks: where a symbolic link leads decides, not where it lies; a path
// that no link is told for is taken as it is written (C2).
func TestCheckLinks(t *testing.T) {
	read := func(id int, path, more string) string {
		return fmt.Sprintf(`{"id":%d,"tool":"Read","args":{"file_path":%q},"cwd":"/w"%s}`, id, path, more)
	}
	links := `,"links":{"/w/up":"/etc","/w/in":"/w/src","/w/a":"/w/b","/w/b":"/w/a"}`
	got := checkLines(t, read(1, "up/crypttab", links), read(2, "in/x.go", links), read(3, "up/crypttab", ""), read(4, "up/shadow", links), read(5, "a/x", links),
		read(6, "x", `,"links":{"up":"/etc"}`), read(7, "x", `,"links":["/w/up"]`))
	for i, want := range []string{"approved_with_constraints", "approved", "approved", "approved_with_constraints", "approved", "rejected", "rejected"} {
		if got[i].Disposition != want {
			t.Errorf("call %d: %s, want %s: %v", i+1, got[i].Disposition, want, got[i].Reasons)
		}
	}
}
