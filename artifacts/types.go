package artifacts

import (
	"fmt"

	"github.com/gbt-policy/gbt/tree"
)

// typ is a type of the format: how FORMAT.md writes it, the least number of bytes
// of a value, and how a codec walks a value, to which it gets a pointer. Types
// are data and functions without a closure, so that the table is laid out by the
// compiler: no program that opens a policy builds it when it starts.
type typ struct {
	text        string // empty for a record, a list of them and a range of numbers
	size        int
	least, most int64 // a number's range; the most bytes or elements
	walk        func(c *codec, t *typ, p any)

	evidence bool                   // three elements of its record in place of one
	record   *record                // of a record or a list of them
	elem     func(p any, i int) any // of a list of records: a pointer to one, nil behind the last
}

// The types of fields, under the names of FORMAT.md.
var (
	nameType     = typ{text: "name", size: 1, most: MaxName, walk: walkText}
	textType     = typ{text: "text", size: 1, most: MaxText, walk: walkText}
	boolType     = typ{text: "boolean", size: 1, walk: walkBool}
	milliType    = typ{text: "milli", size: 1, least: -1 << 31, most: 1<<31 - 1, walk: walkNumber[tree.Milli]}
	countType    = typ{text: "count", size: 1, most: maxCount, walk: walkNumber[uint64]}
	u32Type      = typ{text: "u32", size: 1, most: 1<<32 - 1, walk: walkNumber[uint32]}
	i31Type      = typ{text: "i31", size: 1, most: 1<<31 - 1, walk: walkNumber[int32]}
	i32Type      = typ{text: "i32", size: 1, least: -1 << 31, most: 1<<31 - 1, walk: walkNumber[int32]}
	digestType   = typ{text: "digest", size: 34, walk: walkDigest}
	vectorType   = typ{text: "vector", size: 2, walk: walkVector}
	evidenceType = typ{text: "evidence", size: 3, walk: walkEvidence, evidence: true}
)

func fitType() typ { return typ{text: "fit", walk: walkRecord, record: fitRecord()} }

// textTo is a text, bytesTo are bytes and namesTo is a list of names with a limit
// of their own.
func textTo(limit int64) typ  { return typ{text: "text", size: 1, most: limit, walk: walkText} }
func bytesTo(limit int64) typ { return typ{text: "bytes", size: 2, most: limit, walk: walkBytes} }
func namesTo(limit int64) typ { return typ{text: "{name}*", size: 1, most: limit, walk: walkNames} }

// exactly is bytes of one length.
func exactly(n int64) typ {
	return typ{text: "digest", size: int(2 + n), least: n, most: n, walk: walkBytes}
}

// indexTo is the index of one of things that stand behind it, up to their limit;
// indicesTo a list of indices of states.
func indexTo(limit int64) typ {
	return typ{text: "index", size: 1, most: limit - 1, walk: walkNumber[int32]}
}
func indicesTo(limit int64) typ {
	return typ{text: "{index}*", size: 1, most: limit, walk: walkIndices}
}

// listOf is a list of another type that is written out: its text, and its limit.
func listOf(text string, limit int64, walk func(*codec, *typ, any)) typ {
	return typ{text: text, size: 1, most: limit, walk: walk}
}

// rangeOf is a number in a range that FORMAT.md names.
func rangeOf[T number](least, most int64) typ {
	return typ{size: 1, least: least, most: most, walk: walkNumber[T]}
}

// oneOf is a record as a field, many a list of records.
func oneOf(r *record) typ { return typ{walk: walkRecord, record: r} }

func many[T any](r *record, limit int64) typ {
	return typ{size: 1, most: limit, walk: walkMany[T], record: r, elem: elemOf[T]}
}

// shape is the type as FORMAT.md writes it.
func (t *typ) shape() string {
	switch {
	case t.text != "":
		return t.text
	case t.elem != nil:
		return "{" + t.record.shape() + "}*"
	case t.record != nil:
		return t.record.shape()
	}
	return fmt.Sprintf("%d..%d", t.least, t.most)
}

// elems is the number of elements of a record that a field of the type takes.
func (t *typ) elems() int {
	if t.evidence {
		return 3
	}
	return 1
}

func walkText(c *codec, t *typ, p any)   { c.str(p.(*string), int(t.most)) }
func walkBool(c *codec, _ *typ, p any)   { c.bool(p.(*bool)) }
func walkDigest(c *codec, _ *typ, p any) { c.hex(p.(*string), 32) }
func walkVector(c *codec, _ *typ, p any) { c.vec(p.(*tree.Vec)) }

func walkNumber[T number](c *codec, t *typ, p any) { integer(c, p.(*T), t.least, t.most) }

func walkBytes(c *codec, t *typ, p any) {
	b := p.(*[]byte)
	if c.bin(b, int(t.most)); int64(len(*b)) < t.least {
		c.fail("%d bytes, want %d", len(*b), t.least)
	}
}

func walkEvidence(c *codec, _ *typ, p any) {
	n := p.(*tree.Count)
	integer(c, &n.Tasks, 0, 1<<32-1)
	integer(c, &n.Success, 0, 1<<32-1)
	integer(c, &n.Failure, 0, 1<<32-1)
}

func walkNames(c *codec, t *typ, p any) {
	list(c, p.(*[]string), int(t.most), 1, func(c *codec, p *string) { c.str(p, MaxName) })
}

func walkIndices(c *codec, t *typ, p any) {
	list(c, p.(*[]int32), int(t.most), 1, func(c *codec, p *int32) { c.index(p, tree.MaxStates) })
}

func walkRecord(c *codec, t *typ, p any) { t.record.walk(c, p) }

func walkMany[T any](c *codec, t *typ, p any) {
	list(c, p.(*[]T), int(t.most), t.record.size, func(c *codec, v *T) { t.record.walk(c, v) })
}

func elemOf[T any](p any, i int) any {
	if list := *p.(*[]T); i < len(list) {
		return &list[i]
	}
	return nil
}

// index walks the index of one of n things.
func (c *codec) index(p *int32, n int) { integer(c, p, 0, int64(n)-1) }
