package artifacts

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the vectors anew")

const vectorDir = "testdata/vectors"

// vector is one case of the format's vectors; FORMAT.md describes the files.
type vector struct {
	name    string
	comment string
	expect  Step   // empty for success
	trust   []byte // seeds of the trusted keys
	need    int
	min     uint64
	data    []byte
}

func (v *vector) settings() Trust {
	t := Trust{MinSequence: v.min, Need: v.need}
	for _, seed := range v.trust {
		pub, _ := testKey(seed)
		t.Keys = append(t.Keys, pub)
	}
	return t
}

// text is the file beside the vector.
func (v *vector) text() string {
	var b strings.Builder
	expect, trust := "success", "none"
	if v.expect != "" {
		expect = string(v.expect)
	}
	if len(v.trust) > 0 {
		trust = ""
		for _, k := range v.settings().Keys {
			trust += " " + hex.EncodeToString(k)
		}
		trust = trust[1:]
	}
	fmt.Fprintf(&b, "expect: %s\ntrust: %s\n", expect, trust)
	if v.need > 0 {
		fmt.Fprintf(&b, "need: %d\n", v.need)
	}
	if v.min > 0 {
		fmt.Fprintf(&b, "min-sequence: %d\n", v.min)
	}
	if v.expect == "" {
		signed := map[bool]string{true: "yes", false: "no"}[len(v.trust) > 0]
		body, err := Unsigned(v.data)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, "digest: %s\nsigned: %s\n", digestOf(body), signed)
	}
	fmt.Fprintf(&b, "comment: %s\n", v.comment)
	return b.String()
}

// TestVectors opens every file of the vectors' directory with nothing but what
// stands beside it, and checks that the directory is the one that the program
// in this test makes: no vector is edited by hand, none is left over.
func TestVectors(t *testing.T) {
	all := vectors()
	if *update {
		writeVectors(t, all)
	}
	files, err := filepath.Glob(vectorDir + "/*.gbt")
	if err != nil || len(files) != len(all) || len(files) < 100 {
		t.Fatalf("%d files for %d vectors (error %v)", len(files), len(all), err)
	}
	for i := range all {
		t.Run(all[i].name, func(t *testing.T) { checkVector(t, &all[i]) })
	}
}

func writeVectors(t *testing.T, all []vector) {
	if err := os.RemoveAll(vectorDir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(vectorDir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		v := &all[i]
		base := filepath.Join(vectorDir, v.name)
		if err := errors.Join(os.WriteFile(base+".gbt", v.data, 0o644), os.WriteFile(base+".txt", []byte(v.text()), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func checkVector(t *testing.T, v *vector) {
	base := filepath.Join(vectorDir, v.name)
	data, err := os.ReadFile(base + ".gbt")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(base + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, v.data) || string(text) != v.text() {
		t.Error("the files are not those that this test makes; read why, then -update")
	}
	fields := readVectorText(t, string(text))
	p, info, err := Open(data, fields.trust)
	var r *Refusal
	switch {
	case fields.expect != "success" && err == nil:
		t.Fatalf("opened, want refused by step %s", fields.expect)
	case fields.expect != "success" && (!errors.As(err, &r) || string(r.Step) != fields.expect):
		t.Fatalf("error %v, want refused by step %s", err, fields.expect)
	case fields.expect != "success":
		if p != nil || info != nil {
			t.Error("something was handed out beside the error")
		}
		t.Log(err)
		return
	case err != nil:
		t.Fatal(err)
	}
	if info.Digest != fields.digest || info.Signed != (fields.signed == "yes") {
		t.Errorf("digest %s signed %v, want %s %s", info.Digest, info.Signed, fields.digest, fields.signed)
	}
	body, err := Encode(p)
	if err != nil || !bytes.HasPrefix(data, body) {
		t.Errorf("encoded again, other bytes (error %v)", err)
	}
}

type vectorText struct {
	expect, digest, signed string
	trust                  Trust
}

func readVectorText(t *testing.T, text string) vectorText {
	var out vectorText
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case !ok:
			t.Fatalf("line without a value: %q", line)
		case key == "expect":
			out.expect = value
		case key == "digest":
			out.digest = value
		case key == "signed":
			out.signed = value
		case key == "trust" && value != "none":
			for _, k := range strings.Fields(value) {
				b, err := hex.DecodeString(k)
				if err != nil {
					t.Fatal(err)
				}
				out.trust.Keys = append(out.trust.Keys, b)
			}
		case key == "need":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			out.trust.Need = n
		case key == "min-sequence":
			n, err := strconv.ParseUint(value, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			out.trust.MinSequence = n
		}
	}
	return out
}
