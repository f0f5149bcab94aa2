package text

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// limit is what a table may weigh.
const limit = 4_000_000

func TestShippedTable(t *testing.T) {
	files, err := filepath.Glob("*.codes")
	if err != nil || len(files) != 1 {
		t.Fatalf("tables %v, %v, want one", files, err)
	}
	table, err := Open([]byte(shippedFile()))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(shippedFile()))
	digest := hex.EncodeToString(sum[:])
	if table.Digest() != digest || Default().Digest() != digest {
		t.Errorf("digests %s and %s, want %s", table.Digest(), Default().Digest(), digest)
	}
	if want := table.ID() + "-" + digest[:16] + ".codes"; files[0] != want {
		t.Errorf("file %s, want %s", files[0], want)
	}
	if len(shippedFile()) > limit {
		t.Errorf("%d bytes, limit %d", len(shippedFile()), limit)
	}
	if got := len(Default().Vec(nil, nil, "a text")); got != table.Dim() {
		t.Errorf("%d coordinates, Dim says %d", got, table.Dim())
	}
}

// put32 returns the shipped table with one number of the header changed.
func put32(at int, v uint32) []byte {
	b := []byte(shippedFile())
	b[at], b[at+1], b[at+2], b[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
	return b
}

func changed(at int, v byte) []byte {
	b := []byte(shippedFile())
	b[at] = v
	return b
}

func TestOpenRefuses(t *testing.T) {
	d := Default()
	offsets := headerSize + len(d.fold) + len(d.foldText)
	slots := offsets + len(d.offsets) + len(d.text)
	rowOf := slots + len(d.slots)
	scales := rowOf + len(d.rowOf)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":                    {nil, "no magic"},
		"another file":               {[]byte(strings.Repeat("x", 200)), "no magic"},
		"a header alone":             {[]byte(shippedFile()[:headerSize]), "cut in section"},
		"the last byte missing":      {[]byte(shippedFile()[:len(shippedFile())-1]), "cut in section"},
		"a byte too many":            {[]byte(shippedFile() + "x"), "too many"},
		"version 0":                  {put32(8, 0), "version 0"},
		"version 2":                  {put32(8, 2), "version 2"},
		"dimensions beyond reason":   {put32(12, 1<<31), "beyond its limit"},
		"an odd dimension":           {put32(12, 191), ""},
		"lexical not a power of two": {put32(16, 500), "power of two"},
		"a vocabulary beyond reason": {put32(20, 1<<20), "beyond its limit"},
		"one entry fewer":            {put32(20, uint32(d.vocab-1)), ""},
		"unknown out of range":       {put32(28, uint32(d.vocab)), "unknown words"},
		"another longest spelling":   {put32(32, 17), "longest spelling"},
		"no window":                  {put32(52, 0), "empty window"},
		"no decay":                   {put32(60, 0), "weight"},
		"no name":                    {changed(84, 0), "identifier"},
		"a reserved byte":            {changed(headerSize-1, 1), "unknown fields"},
		"fold range out of order":    {changed(headerSize+foldEntrySize, 0), "out of order"},
		"an unknown fold kind":       {changed(headerSize+3, 99), "out of order"},
		"spellings out of order":     {changed(offsets+4*100+2, 0xff), "out of its section"},
		"a slot out of range":        {changed(slots+slotInUse(d)*2+1, 0xfe), "slot"},
		"an entry not in its slot":   {swapped(slots, slotInUse(d)), "looked up"},
		"a row out of range":         {changed(rowOf+2*2000+1, 0xfe), "row"},
		"a scale out of range":       {changed(scales+1, 0xff), "scale"},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := Open(c.data)
			if table != nil || !errors.Is(err, errFormat) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v, want a refusal with %q", table, err, c.want)
			}
		})
	}
}

func slotInUse(t *Table) int {
	for i := 0; i < len(t.slots); i += 2 {
		if u16(t.slots[i:]) != emptySlot {
			return i / 2
		}
	}
	return -1
}

// swapped moves the entry of a slot to the far side of the hash table.
func swapped(slots, i int) []byte {
	b := []byte(shippedFile())
	n := len(Default().slots) / 2
	for j := (i + n/2) % n; ; j = (j + 1) % n {
		if at := slots + 2*j; b[at] == 0xff && b[at+1] == 0xff {
			from := slots + 2*i
			b[at], b[at+1], b[from], b[from+1] = b[from], b[from+1], 0xff, 0xff
			return b
		}
	}
}

// FuzzOpen changes small tables, since the shipped one is too large to vary.
func FuzzOpen(f *testing.F) {
	small := smallTable()
	if _, err := Open(small); err != nil {
		f.Fatalf("the seed is no table: %v", err)
	}
	f.Add(small, "a text with the b")
	f.Add(small[:len(small)-3], "x")
	f.Add([]byte(shippedFile()[:4096]), "x")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		table, err := Open(data)
		if (table == nil) == (err == nil) {
			t.Fatalf("got %v, %v", table, err)
		}
		if err != nil {
			return
		}
		var s Scratch
		if v := table.Vec(&s, nil, text); len(v) != 0 && len(v) != table.Dim() {
			t.Fatalf("%d coordinates of %d", len(v), table.Dim())
		}
		table.Tokens(nil, text)
	})
}

// smallTable is a whole table of three entries, two of them with a row.
func smallTable() []byte {
	pieces := []string{"?", "a", "##b"}
	var b []byte
	put := func(vs ...uint32) {
		for _, v := range vs {
			b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
	}
	b = append(b, magic...)
	put(version, 4, 8, 3, 2, 0, 3, 2, 1, 2, 5)
	put(16, 32, 1<<16, 1<<15, 256, 1, 1, 1)
	b = append(b, "small"+strings.Repeat("\x00", idSize-5)...)
	b = append(b, "\x81\x91\xa1\xb1\xc1\xd1\xe1\xf1\x01\x11\x21\x31\x41\x51\x61\x71"...)
	b = append(b, make([]byte, headerSize-len(b))...)
	put(0xe9|uint32(foldString)<<24, 0xe9, 2)
	b = append(b, "ea"...)
	put(0, 1, 2, 5)
	b = append(b, "?a##b"...)
	slots := [4]uint16{emptySlot, emptySlot, emptySlot, emptySlot}
	for id, p := range pieces {
		piece, inside := strings.CutPrefix(p, "##")
		i := hash(piece, inside) % 4
		for slots[i] != emptySlot {
			i = (i + 1) % 4
		}
		slots[i] = uint16(id)
	}
	for _, v := range append(slots[:], noRow, 0, 1, 100, maxScale) {
		b = append(b, byte(v), byte(v>>8))
	}
	return append(b, 0x10, 0x32, 0x54, 0x76)
}

func BenchmarkDefault(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Default()
	}
}

func BenchmarkOpenShipped(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openShipped(shippedHead, shippedCodes); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	data := []byte(shippedFile())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(data); err != nil {
			b.Fatal(err)
		}
	}
}
