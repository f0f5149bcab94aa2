package origin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// version is that of the encoding. An Index lives as long as an episode: other
// versions are refused.
const version = 2

// MarshalBinary encodes the index. Equal indexes give equal bytes.
func (x *Index) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, 64+x.size+8*len(x.spans))
	b = append(b, version, flag(x.dropped))
	b = binary.AppendUvarint(b, uint64(x.results))
	b = binary.AppendUvarint(b, uint64(len(x.task)))
	for _, t := range x.task {
		b = appendText(b, t)
	}
	for _, list := range [][]string{x.sources, x.paths, x.followed} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = appendText(b, []byte(s))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(x.spans)))
	for i := range x.spans {
		s := &x.spans[i]
		for _, n := range [...]int{s.result, s.source, s.path} {
			b = binary.AppendUvarint(b, uint64(n))
		}
		b = append(b, flag(s.free)|flag(s.asked)<<1|flag(s.prose)<<2|flag(s.selected)<<3)
		b = appendText(b, x.leaf(i))
	}
	return b, nil
}

// leaf returns the folded text of a leaf.
func (x *Index) leaf(i int) []byte {
	end := len(x.text)
	if i+1 < len(x.spans) {
		end = x.spans[i+1].at
	}
	return x.text[x.spans[i].at+1 : end-1]
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func appendText(b, s []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

var errIndex = errors.New("flow: damaged index")

// UnmarshalBinary decodes what MarshalBinary made. A damaged index is an error
// and leaves x as it was.
func (x *Index) UnmarshalBinary(data []byte) error {
	if len(data) < 2 || data[0] != version {
		return fmt.Errorf("%w: not version %d", errIndex, version)
	}
	d := decoder{b: data[2:]}
	y := Index{dropped: data[1] == 1}
	y.results = d.number(1 << 30)
	for range d.number(MaxText) {
		y.task = append(y.task, d.text())
		y.size += len(y.task[len(y.task)-1])
	}
	for _, list := range []*[]string{&y.sources, &y.paths, &y.followed} {
		for range d.number(maxNames) {
			*list = append(*list, string(d.text()))
		}
	}
	for range d.number(maxSpans) {
		y.readSpan(&d)
		if d.bad {
			break
		}
	}
	if d.bad || len(d.b) > 0 || y.size > MaxText {
		return errIndex
	}
	*x = y
	return nil
}

func (x *Index) readSpan(d *decoder) {
	s := span{at: len(x.text), bare: len(x.bare), result: d.number(x.results), source: d.number(len(x.sources) - 1), path: d.number(len(x.paths) - 1)}
	flags := d.number(15)
	s.free, s.asked, s.prose, s.selected = flags&1 != 0, flags&2 != 0, flags&4 != 0, flags&8 != 0
	t := d.text()
	if n := len(x.spans); n > 0 && s.result < x.spans[n-1].result {
		d.bad = true
	}
	if d.bad || bytes.IndexByte(t, 0) >= 0 {
		d.bad = true
		return
	}
	x.spans = append(x.spans, s)
	x.size += len(t)
	x.frame(string(t))
}

// decoder reads numbers and texts; after the first fault it reads zeros.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) number(limit int) int {
	n, k := binary.Uvarint(d.b)
	if k <= 0 || limit < 0 || n > uint64(limit) {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[k:]
	return int(n)
}

func (d *decoder) text() []byte {
	n := d.number(len(d.b))
	if n > len(d.b) {
		d.bad, d.b = true, nil
		return nil
	}
	t := d.b[:n:n]
	d.b = d.b[n:]
	return append([]byte(nil), t...)
}
