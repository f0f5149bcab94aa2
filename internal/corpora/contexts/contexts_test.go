package contexts

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/redact"
)

func sample(i int) gates.Context {
	return gates.NewContext(gates.Request{
		Tool: "send_email",
		Args: fmt.Appendf(nil, `{"recipients":["anna%d@corp.example"],"body":"the secret is hunter%d","attachments":[]}`, i, i),
	}, gates.State{Cwd: "/work", Roots: []string{"/work"}, UID: -1, GID: -1})
}

func row(l Label, i int, task string) Row {
	c := sample(i)
	r := redact.Context(&c)
	return NewRow(l, &r, "send_email", Evidence{Episode: fmt.Sprintf("%032x", i), Task: task, Group: "g", From: 1, To: 2, Rule: "r"})
}

func TestRoundTrip(t *testing.T) {
	var c Corpus
	for i := range 50 {
		c.Add(row(Label(i%2), i, fmt.Sprint("t", i%3)))
	}
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	back, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []Label{Unsafe, Benign} {
		if fmt.Sprint(back.Leaves(l)) != fmt.Sprint(c.Leaves(l)) || back.Len(l) != 25 {
			t.Errorf("%v: other rows after reading", l)
		}
	}
	var again bytes.Buffer
	if err := back.Write(&again); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
		t.Errorf("other bytes after reading: %v", err)
	}
}

// TestOrder adds the same evidence in many orders.
func TestOrder(t *testing.T) {
	var rows []Row
	for i := range 40 {
		rows = append(rows, row(Label(i%2), i/4, fmt.Sprint("t", i)))
	}
	want := ""
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		var c Corpus
		for _, r := range rows {
			c.Add(r)
		}
		got := fmt.Sprint(c.Sample(3).Leaves(Unsafe), c.Sample(3).Leaves(Benign))
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("seed %d: another corpus in another order", seed)
		}
	}
}

func TestAppendOnly(t *testing.T) {
	var c Corpus
	for i := range 20 {
		c.Add(row(Unsafe, i, "t"))
		c.Add(row(Benign, 100+i, "t"))
	}
	s := c.Sample(5)
	if s.Len(Unsafe) != 20 {
		t.Errorf("sampling lost unsafe contexts: %d of 20 stay", s.Len(Unsafe))
	}
	if s.Len(Benign) != 5 {
		t.Errorf("%d benign contexts of one stratum, want 5", s.Len(Benign))
	}
	before := c.Rows(Unsafe)[0].Total
	c.Add(*c.Rows(Unsafe)[0])
	if c.Rows(Unsafe)[0].Total != before {
		t.Error("reading a row again counts its evidence twice")
	}
}

func TestReadRefuses(t *testing.T) {
	var c Corpus
	c.Add(row(Unsafe, 1, "t"))
	r := c.Rows(Unsafe)[0]
	r.Context = bytes.Replace(r.Context, []byte("send_email"), []byte("send_emajl"), 1)
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len())); err == nil {
		t.Error("a context that is not the one its id names was read")
	}
	for _, data := range [][]byte{nil, []byte("PAR1"), b.Bytes()[:b.Len()/2]} {
		if _, err := Read(bytes.NewReader(data), int64(len(data))); err == nil {
			t.Errorf("%d bytes that are no corpus were read", len(data))
		}
	}
}
