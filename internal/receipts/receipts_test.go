package receipts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// chainOf makes the encoded receipts of a session.
func chainOf(t testing.TB, n int) (out [][]byte, head Head) {
	t.Helper()
	for i := range n {
		r := Receipt{Kind: Call, Tool: "bash", Time: int64(i), Payload: json.RawMessage(`{"n":` + fmt.Sprint(i) + `}`), Reversal: Reversible}
		var err error
		if head, err = head.Next("s", &r); err != nil {
			t.Fatal(err)
		}
		data, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data)
	}
	return out, head
}

func walk(list [][]byte, want Head) error {
	c := Chain{Session: "s"}
	for _, data := range list {
		if _, err := c.Add(data); err != nil {
			return err
		}
	}
	return c.End(want)
}

// TestChain: the chain that was written passes; without one receipt, with two in each
// other's places, with one twice, with any byte changed, it does not.
func TestChain(t *testing.T) {
	list, head := chainOf(t, 5)
	if err := walk(list, head); err != nil {
		t.Fatal(err)
	}
	for i := range list {
		without := append(append([][]byte{}, list[:i]...), list[i+1:]...)
		if walk(without, head) == nil {
			t.Errorf("without receipt %d", i+1)
		}
		twice := append(append([][]byte{}, list[:i+1]...), list[i:]...)
		if walk(twice, head) == nil {
			t.Errorf("receipt %d twice", i+1)
		}
		for k := range i {
			swapped := append([][]byte{}, list...)
			swapped[i], swapped[k] = swapped[k], swapped[i]
			if walk(swapped, head) == nil {
				t.Errorf("receipts %d and %d swapped", k+1, i+1)
			}
		}
		for at := range list[i] {
			changed := append([][]byte{}, list...)
			changed[i] = bytes.Clone(list[i])
			changed[i][at] ^= 1
			if walk(changed, head) == nil {
				t.Fatalf("receipt %d with byte %d changed: %s", i+1, at, changed[i])
			}
		}
	}
	if walk(nil, head) == nil || walk(list, Head{}) == nil {
		t.Error("no receipts, or more than there should be")
	}
}

// TestStanding: the last word on a call counts, and snapshots that are gone take all
// claims with them.
func TestStanding(t *testing.T) {
	list := []*Receipt{{ID: "a", Kind: Call, Reversal: Reversible}, {ID: "b", Kind: Call, Reversal: Reversible}, {ID: "c", Kind: Call, Reversal: NotReversed},
		{ID: "d", Kind: Undo, Of: "a", Reversal: Irrecoverable}, {ID: "e", Kind: Undo, Of: "never", Reversal: Externally}}
	if got := fmt.Sprint(Standing(list)); got != "map[a:irrecoverable b:reversible c:audit_only]" {
		t.Error(got)
	}
	list = append(list, &Receipt{ID: "f", Kind: Dropped})
	if got := fmt.Sprint(Standing(list)); got != "map[a:irrecoverable b:audit_only c:audit_only]" {
		t.Error(got)
	}
}

// FuzzDecode: what is taken encodes back to the same bytes.
func FuzzDecode(f *testing.F) {
	list, _ := chainOf(f, 3)
	for _, data := range list {
		f.Add(data)
		f.Add(bytes.Replace(data, []byte(`"v":1`), []byte(`"v":2`), 1))
		f.Add(bytes.Replace(data, []byte(`"kind"`), []byte(`"Kind"`), 1))
		f.Add([]byte(strings.TrimSuffix(string(data), "}") + `,"more":1}`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			if r != nil {
				t.Error("a receipt with an error")
			}
			return
		}
		if again, err := r.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s\nencodes to %s, %v", data, again, err)
		}
	})
}
