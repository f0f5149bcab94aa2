package text

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"unicode/utf8"
)

// vectorFile holds what the encoder's own tokenizer gives; distill/vectors.py
// makes it.
const vectorFile = "testdata/tokens.jsonl.gz"

type tokenVector struct {
	text string
	ids  []uint16
}

func tokenVectors(t testing.TB) []tokenVector {
	t.Helper()
	f, err := os.Open(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []tokenVector
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		out = append(out, readVector(t, lines.Bytes()))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func readVector(t testing.TB, line []byte) (v tokenVector) {
	t.Helper()
	var parts []json.RawMessage
	if err := json.Unmarshal(line, &parts); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(parts[0], &v.text); err != nil {
		t.Fatal(err)
	}
	for _, p := range parts[1:] {
		var id uint16
		if err := json.Unmarshal(p, &id); err != nil {
			t.Fatal(err)
		}
		v.ids = append(v.ids, id)
	}
	return v
}

func TestTokensAreTheReferences(t *testing.T) {
	table, vectors, bad := Default(), tokenVectors(t), 0
	if len(vectors) < 4000 {
		t.Fatalf("%d vectors, want thousands", len(vectors))
	}
	for _, v := range vectors {
		if got := table.Tokens(nil, v.text); !slices.Equal(got, v.ids) {
			if bad++; bad < 10 {
				t.Errorf("%.80q:\n got %s\nwant %s", v.text, spell(table, got), spell(table, v.ids))
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d texts differ", bad, len(vectors))
	}
}

func spell(t *Table, ids []uint16) (out []string) {
	for _, id := range ids {
		out = append(out, t.Token(id))
	}
	return out
}

// The fast path for ASCII must say what the reference says, which the fold
// table begins beyond.
func TestASCIIWords(t *testing.T) {
	for _, c := range []struct {
		text, plain, humps string
	}{
		{"getUserDetails", "getuserdetails", "get user details"},
		{"parseHTTPRequest2", "parsehttprequest2", "parse http request2"},
		{"snake_case_name", "snake _ case _ name", "snake _ case _ name"},
		{"UTF8Decoder", "utf8decoder", "utf8 decoder"},
		{"ABC", "abc", "abc"},
		{"a\x00b\x7fc", "abc", "abc"},
		{"~/.ssh/id_rsa", "~ / . ssh / id _ rsa", "~ / . ssh / id _ rsa"},
		{"éCole", "ecole", "ecole"},
	} {
		for humps, want := range map[bool]string{false: c.plain, true: c.humps} {
			if got := joined(c.text, humps); got != want {
				t.Errorf("%q, humps %v: got %q, want %q", c.text, humps, got, want)
			}
		}
	}
}

func joined(text string, humps bool) string {
	var s Scratch
	s.split(Default(), text, humps)
	out := ""
	for i, w := range s.spans {
		if i > 0 {
			out += " "
		}
		out += string(s.word(w))
	}
	return out
}

func FuzzTokens(f *testing.F) {
	for _, v := range tokenVectors(f)[:200] {
		f.Add(v.text)
	}
	f.Add("\xff\xfe broken \xc3")
	table := Default()
	f.Fuzz(func(t *testing.T, text string) {
		ids := table.Tokens(nil, text)
		var s Scratch
		s.split(table, text, false)
		if len(ids) < len(s.spans) {
			t.Fatalf("%d tokens for %d words", len(ids), len(s.spans))
		}
		for _, w := range s.spans {
			checkPieces(t, table, s.word(w))
		}
	})
}

// checkPieces wants a word's tokens to spell the word or to be one unknown.
func checkPieces(t *testing.T, table *Table, word []byte) {
	t.Helper()
	if !utf8.Valid(word) {
		t.Fatalf("word %q is not UTF-8", word)
	}
	ids, spelt := table.pieces(nil, word), ""
	if len(ids) == 1 && ids[0] == table.unknown {
		return
	}
	for i, id := range ids {
		s := table.Token(id)
		if i > 0 {
			s = s[2:]
		}
		spelt += s
	}
	if spelt != string(word) {
		t.Fatalf("word %q is spelt %q", word, spelt)
	}
}
