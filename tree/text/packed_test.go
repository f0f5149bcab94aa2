package text

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tableFlag has distill/run.sh write the shipped form of a new table.
var tableFlag = flag.String("table", "", "make the form that the package holds of this file, and write it over the present one")

// pack makes the shipped form of a table's file: the head before it is deflated, and the codes.
func pack(t testing.TB, file []byte) (head, codes []byte) {
	t.Helper()
	table, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	head = append(head, file[:headerSize]...)
	head = packFolds(head, table)
	head = append(head, table.foldText...)
	for i := range table.vocab {
		head = append(append(head, table.spelling(i)...), '\n')
	}
	head = packRows(t, head, table)
	for _, at := range []int{0, 1} {
		for i := range table.rows {
			head = append(head, table.scales[2*i+at])
		}
	}
	lengths := packLengths(table)
	rows, codes := packCodes(table, lengths)
	return append(append(head, lengths...), rows...), codes
}

func packFolds(head []byte, table *Table) []byte {
	n := len(table.fold) / foldEntrySize
	column := func(number func(i int) uint32) {
		for i := range n {
			head = binary.AppendUvarint(head, uint64(number(i)))
		}
	}
	before := func(i int) (e foldEntry) {
		if i > 0 {
			e = table.foldEntry(i - 1)
		}
		return e
	}
	column(func(i int) uint32 { return uint32(table.foldEntry(i).first - before(i).last) })
	column(func(i int) uint32 { return uint32(table.foldEntry(i).last - table.foldEntry(i).first) })
	for i := range n {
		head = append(head, byte(table.foldEntry(i).kind))
	}
	column(func(i int) uint32 {
		d := table.foldEntry(i).arg - before(i).arg
		return uint32(d)<<1 ^ uint32(d>>31)
	})
	return head
}

func packRows(t testing.TB, head []byte, table *Table) []byte {
	t.Helper()
	set, next := make([]byte, (table.vocab+7)/8), 0
	for i := range table.vocab {
		row := int(u16(table.rowOf[2*i:]))
		if row == noRow {
			continue
		}
		if row != next {
			t.Fatalf("entry %d has row %d, want %d: rows in the order of the entries", i, row, next)
		}
		set[i/8] |= 1 << (i % 8)
		next++
	}
	return append(head, set...)
}

// packLengths are the lengths of the codes of each quarter.
func packLengths(table *Table) (lengths []byte) {
	half := table.mix.dim / 2
	for q := range quarters {
		var times [256]int
		for row := range table.rows {
			for _, b := range []byte(table.codes[row*half:][q*half/quarters : (q+1)*half/quarters]) {
				times[b]++
			}
		}
		lengths = append(lengths, bounded(times)...)
	}
	return lengths
}

// bounded gives the lengths of the best prefix code of at most codeBits, by package-merge: in each
// round the cheapest things are paired, and every byte in one of the first 2*256-2 pairs gets a bit.
// A byte that never occurs counts as one that does once.
func bounded(times [256]int) []byte {
	type thing struct {
		weight int
		bytes  []byte
	}
	var single, paired []thing
	for b, n := range times {
		single = append(single, thing{max(n, 1), []byte{byte(b)}})
	}
	lighter := func(a, b thing) int { return cmp.Compare(a.weight, b.weight) }
	for range codeBits {
		all := append(slices.Clone(single), paired...)
		slices.SortStableFunc(all, lighter)
		paired = nil
		for i := 0; i+1 < len(all); i += 2 {
			paired = append(paired, thing{all[i].weight + all[i+1].weight, slices.Concat(all[i].bytes, all[i+1].bytes)})
		}
	}
	lengths := make([]byte, 256)
	for _, p := range paired[:len(lengths)-1] {
		for _, b := range p.bytes {
			lengths[b]++
		}
	}
	return lengths
}

// codeOf are the codes of one quarter, by byte.
func codeOf(lengths []byte) (out [256]string) {
	next := 0
	for n := 1; n <= codeBits; n++ {
		next <<= 1
		for b, l := range lengths {
			if int(l) == n {
				out[b] = fmt.Sprintf("%0*b", n, next)
				next++
			}
		}
	}
	return out
}

// packCodes writes the rows with zeros and ones, the obvious way.
func packCodes(table *Table, lengths []byte) (rows, codes []byte) {
	var code [quarters][256]string
	for q := range code {
		code[q] = codeOf(lengths[q<<8:][:256])
	}
	half := table.mix.dim / 2
	for row := range table.rows {
		var ends [2]strings.Builder
		for i, c := range []byte(table.codes[row*half:][:half]) {
			q := i * quarters / half
			ends[q/2].WriteString(code[q][c])
		}
		n := (ends[0].Len() + ends[1].Len() + 7) / 8
		bytes := make([]byte, n)
		for i, bit := range ends[0].String() {
			bytes[i/8] |= byte(bit-'0') << (i % 8)
		}
		for i, bit := range ends[1].String() {
			bytes[n-1-i/8] |= byte(bit-'0') << (7 - i%8)
		}
		rows, codes = append(rows, byte(n)), append(codes, bytes...)
	}
	return rows, codes
}

// shippedFile is the file of the shipped table, whole, made of the shipped form.
var shippedFile = sync.OnceValue(func() string {
	t := Default()
	codes := make([]byte, t.rows*t.mix.dim/2)
	for row := range t.rows {
		half := t.mix.dim / 2
		t.packed.read(codes[row*half:][:half], row)
	}
	return string(inflated(shippedHead)[:headerSize]) + t.fold + t.foldText + t.offsets + t.text + t.slots + t.rowOf + t.scales + string(codes)
})

func inflated(s string) []byte {
	b, err := io.ReadAll(flate.NewReader(strings.NewReader(s)))
	if err != nil {
		panic(err)
	}
	return b
}

// The form that the package holds is what is made of the file that is made of it. With -table, it is
// written anew.
func TestShippedForm(t *testing.T) {
	if *tableFlag != "" {
		ship(t, *tableFlag)
		return
	}
	head, codes := pack(t, []byte(shippedFile()))
	if !bytes.Equal(head, inflated(shippedHead)) || string(codes) != shippedCodes {
		t.Error("the file of the shipped form gives another form: run distill/run.sh")
	}
}

const shippedSource = `// Code generated by distill/run.sh. DO NOT EDIT.

package text

import _ "embed"

// The table in the form that FORMAT.md describes: all but its rows, deflated (RFC 1951), and the rows.
var (
	//go:embed %[1]s.head.flate
	shippedHead string
	//go:embed %[1]s.codes
	shippedCodes string
)

// shippedDigest is the SHA-256 of the file, whose name carries its start.
const shippedDigest = %[2]q
`

// ship writes the form of a file, and removes the one before.
func ship(t *testing.T, name string) {
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	head, codes := pack(t, file)
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(head)
	w.Close()
	for _, pattern := range []string{"*.head.flate", "*.codes"} {
		old, _ := filepath.Glob(pattern)
		for _, name := range old {
			os.Remove(name)
		}
	}
	base := table.ID() + "-" + table.Digest()[:16]
	for name, data := range map[string][]byte{
		base + ".head.flate": small.Bytes(), base + ".codes": codes,
		"shipped.go": fmt.Appendf(nil, shippedSource, base, table.Digest()),
	} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// plain is the shipped table as a file gives it, with codes that need no reading.
var plain = sync.OnceValue(func() *Table {
	t, err := Open([]byte(shippedFile()))
	if err != nil {
		panic(err)
	}
	return t
})

// Whatever a Scratch has kept, a packed row adds what the plain one does.
func TestPackedRows(t *testing.T) {
	table, s, p := Default(), new(Scratch), new(Scratch)
	s.reset(&table.mix)
	p.reset(&table.mix)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		row := rng.IntN(1 + rng.IntN(table.rows))
		table.addRow(s, row, 100)
		plain().addRow(p, row, 100)
		if !slices.Equal(s.sem, p.sem) {
			t.Fatalf("row %d differs", row)
		}
	}
}

// A Scratch that went from one packed table to another keeps nothing of the first.
func TestScratchOfTwoTables(t *testing.T) {
	other, err := openShipped(shippedHead, shippedCodes)
	if err != nil {
		t.Fatal(err)
	}
	flipped := []byte(shippedCodes)
	for i := range flipped {
		flipped[i] ^= 0xff
	}
	other.packed.data = string(flipped)
	s, text := new(Scratch), "the file"
	v := Default().Vec(s, nil, text)
	if slices.Equal(v, other.Vec(s, nil, text)) {
		t.Fatal("other rows give the same vector: the case shows nothing")
	}
	if !slices.Equal(v, Default().Vec(s, nil, text)) {
		t.Error("rows of another table are added")
	}
}

func TestPackedRefuses(t *testing.T) {
	head := inflated(shippedHead)
	lengths := len(head) - Default().rows - quarters<<8
	rows := lengths - 2*Default().rows - (Default().vocab+7)/8
	kinds := headerSize
	for range 2 * len(Default().fold) / foldEntrySize {
		_, n := binary.Uvarint(head[kinds:])
		kinds += n
	}
	for name, c := range map[string]struct {
		head  []byte
		codes string
		want  string
	}{
		"nothing":                      {nil, shippedCodes, "no magic"},
		"a header alone":               {head[:headerSize], shippedCodes, "other lengths"},
		"a byte too few":               {head[:len(head)-1], shippedCodes, "other lengths"},
		"a byte too many":              {append(slices.Clone(head), 0), shippedCodes, "other lengths"},
		"an unknown fold kind":         {with(head, kinds, 99), shippedCodes, "fold table"},
		"entries without their rows":   {with(head, rows+2000/8, 0), shippedCodes, "other lengths"},
		"codes cut":                    {head, shippedCodes[1:], "rows"},
		"no codes":                     {head, "", "rows"},
		"a code longer than any":       {with(head, lengths, codeBits+1), shippedCodes, "rows"},
		"a code of no bits":            {with(head, lengths, 0), shippedCodes, "rows"},
		"more codes than bits":         {with(head, lengths, 1), shippedCodes, "rows"},
		"more codes of the last":       {with(head, lengths+(quarters-1)<<8, 1), shippedCodes, "rows"},
		"a row of another size":        {with(head, len(head)-1, 255), shippedCodes, "rows"},
		"dimensions not in quarters":   {with(head, 12, 190), shippedCodes, "quarters"},
		"no dimensions":                {with(head, 12, 0), shippedCodes, "dimensions"},
		"fewer slots than entries":     {with(head, 36, 14), shippedCodes, "slots"},
		"an entry for unknown outside": {with(head, 29, 255), shippedCodes, "unknown words"},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := unpack(c.head, c.codes)
			if table != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("a table: %v, %v, want a refusal with %q", table != nil, err, c.want)
			}
		})
	}
}

func TestReaderRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		rest string
		read func(r *reader)
	}{
		"fewer bytes":             {"ab", func(r *reader) { r.take(3) }},
		"fewer numbers":           {"ab", func(r *reader) { r.numbers(3) }},
		"a number without an end": {"\x80", func(r *reader) { r.numbers(1) }},
		"a number of 33 bits":     {"\x80\x80\x80\x80\x10", func(r *reader) { r.numbers(1) }},
		"a fold beyond 24 bits":   {"\x80\x80\x80\x08\x00\x00\x00", func(r *reader) { r.folds(1) }},
		"a line without an end":   {"abc", func(r *reader) { r.spellings(1, 2) }},
		"a line too many":         {"a\nb\n", func(r *reader) { r.spellings(1, 3) }},
		"a row too many":          {"\x03", func(r *reader) { r.rowsOf(2, 1) }},
		"scales cut":              {"abc", func(r *reader) { r.scales(2) }},
	} {
		r := &reader{rest: []byte(c.rest)}
		if c.read(r); !r.bad {
			t.Errorf("%s: accepted", name)
		}
	}
}

func with(b []byte, at int, v byte) []byte {
	b = slices.Clone(b)
	b[at] = v
	return b
}

// Damage gives an error or other vectors, and no more.
func TestDamagedForm(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	head, codes := inflated(shippedHead), []byte(shippedCodes)
	opened := 0
	for range 60 {
		h, c := slices.Clone(head), slices.Clone(codes)
		for range 1 + rng.IntN(3) {
			h[rng.IntN(len(h))] = byte(rng.Uint32())
		}
		for range 1000 {
			c[rng.IntN(len(c))] = byte(rng.Uint32())
		}
		table, err := unpack(h, string(c))
		if err != nil {
			continue
		}
		opened++
		table.Vec(nil, nil, thought)
	}
	if opened == 0 {
		t.Error("no damaged form was opened: nothing is shown")
	}
}

// smallForm is the shipped form of a table of three entries with a row and 32 dimensions.
func smallForm(t testing.TB) (head, codes []byte) {
	b := smallTable()
	at := len(b) - 4 // 2 rows of 2 bytes
	b[12] = 32
	b = b[:at]
	for i := range 32 {
		b = append(b, byte(i*37))
	}
	return pack(t, b)
}

func FuzzUnpack(f *testing.F) {
	head, codes := smallForm(f)
	if _, err := unpack(head, string(codes)); err != nil {
		f.Fatalf("the seed is no table: %v", err)
	}
	f.Add(head, codes, "a text with the b")
	f.Add(head[:len(head)-1], codes, "x")
	f.Add(inflated(shippedHead)[:4096], codes, "x")
	f.Fuzz(func(t *testing.T, head, codes []byte, text string) {
		table, err := unpack(head, string(codes))
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
		for row := range min(table.rows, 64) {
			table.addRow(&s, row, 1)
		}
	})
}

// FuzzPacked reads rows of whatever bytes, of whatever lengths.
func FuzzPacked(f *testing.F) {
	head, codes := smallForm(f)
	n := quarters << 8
	lengths := head[len(head)-2-n:][:n]
	f.Add(lengths, head[len(head)-2:], codes)
	f.Add(lengths, []byte{0, 1, 7, 1, 0}, codes[:9])
	f.Add(lengths, []byte{3}, codes[:3])
	f.Fuzz(func(t *testing.T, lengths, rows, codes []byte) {
		if len(lengths) != n {
			return
		}
		p, err := newPacked(lengths, rows, string(codes))
		if err != nil {
			return
		}
		dst := make([]byte, 96)
		for row := range rows {
			p.read(dst, row)
		}
	})
}
