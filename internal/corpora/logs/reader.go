package logs

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// place is where a record stands inside its unit.
type place struct {
	line  int    // 1-based, 0 if the content is not line-oriented
	index int    // 0-based position in an array or object, -1 if none
	key   string // key in a keyed object
}

// reader reads one unit at a time. It is reused, so that its buffers and
// parsers stay warm.
type reader struct {
	in      *Input
	ctx     context.Context
	u       *Unit
	yield   func(Record) bool
	stopped bool // the consumer stopped, or the context ended
	outside bool // the consumer's code is running
	emitted int

	disk   *os.File // the file behind the unit, if it is one
	member string   // member of an archive being read
	where  string   // the unit's own name and its directory's, for ids
	near   beside   // where neighbouring files of the content are found
	wrap   int      // layers of compression taken off

	records fastjson.Parser // the current record
	nested  fastjson.Parser // JSON text inside strings
	side    fastjson.Parser // a list that is JSON text, while nested is used for its parts
	wholes  []byte          // content of small files
	buf     []byte          // scratch for one field
	run     runBuilder
	gathers map[string]*gathering
	order   []*gathering // in order of first use
	spare   runBuilder   // memory for the next gathering
	from    *splitter    // what has cut the record being parsed, in a document that is walked
	found   bool         // a record or a part of one was known, in this content
	base    *place       // where the list stands whose parts are being read, if not at the top
	// attached is the sample's long texts that an Inspect log keeps apart.
	attached *fastjson.Value
	torn     bool // the stream broke off: what is unfinished was reported with it
	partial  bool // the content was cut: runs that are made of parts carry no labels
	flushing bool // such runs are being ended
}

func (in *Input) reader() *reader {
	if rd, ok := in.pool.Get().(*reader); ok {
		return rd
	}
	return &reader{in: in}
}

// release gives the reader back, without memory that only a giant record
// needed.
func (in *Input) release(rd *reader) {
	const keep = 32 << 20
	big := cap(rd.wholes) > keep || cap(rd.buf) > keep || rd.stopped
	*rd = reader{in: in, records: rd.records, nested: rd.nested, wholes: rd.wholes, buf: rd.buf, run: rd.run, spare: rd.spare}
	if !big {
		in.pool.Put(rd)
	}
}

func (rd *reader) start(ctx context.Context, u *Unit, yield func(Record) bool) {
	rd.ctx, rd.u, rd.yield = ctx, u, yield
	rd.near, rd.where = osBeside(u), rd.in.placeName(u)
}

// stop says whether reading should end.
func (rd *reader) stop() bool {
	if !rd.stopped && rd.ctx.Err() != nil {
		rd.stopped = true
	}
	return rd.stopped
}

func (rd *reader) emit(r Record) {
	if rd.stop() {
		return
	}
	rd.emitted++
	rd.outside = true
	more := rd.yield(r)
	rd.outside = false
	rd.stopped = rd.stopped || !more
}

func (rd *reader) origin(at place) corpora.Origin {
	return corpora.Origin{File: rd.u.Name, Member: rd.member, Line: at.line, Index: at.index, Key: at.key}
}

func (rd *reader) problem(at place, code, sentence string) {
	rd.emit(Record{Problem: &corpora.Problem{Origin: rd.origin(at), Code: code, Sentence: sentence}})
}

func (rd *reader) skip(at place, reason string) {
	rd.emit(Record{Skip: &corpora.Skip{Origin: rd.origin(at), Reason: reason}})
}

// skipOwn skips what this tool wrote.
func (rd *reader) skipOwn(at place, reason string) {
	rd.emit(Record{Skip: &corpora.Skip{Origin: rd.origin(at), Reason: reason, Own: true}})
}

var errTooBig = errors.New("more bytes than the limit")

// streamError reports an error of the stream itself.
func (rd *reader) streamError(err error) {
	at := place{index: -1}
	switch {
	case rd.ctx.Err() != nil: // interrupted: the stream has no fault
	case errors.Is(err, errTooBig):
		rd.problem(at, CodeTooBig, "the content unpacks to more than the limit; unpack it and import the parts")
	case errors.Is(err, io.ErrUnexpectedEOF):
		rd.problem(at, CodeBadArchive, "the compressed content ends in the middle")
	case rd.wrap > 0 || rd.member != "":
		rd.problem(at, CodeBadArchive, "the compressed content is damaged: "+reason(err))
	default:
		rd.problem(at, CodeUnreadable, "cannot be read: "+reason(err))
	}
}

// object handles one JSON object as a record or as a part of a run.
func (rd *reader) object(v *fastjson.Value, at place) {
	l := rd.in.known.of(v)
	rd.found = rd.found || l != nil
	switch {
	case l == nil:
		rd.unknownObject(v, at)
	case l.kind == isSkip:
		rd.skip(at, l.reason)
	case l.kind == isPart:
		g := rd.gatherer(l)
		g.with(rd, func() { g.add(v, at) })
	default:
		l.read(rd, v, at)
	}
}

// gathering is a collector in use. It has a run of its own, because records
// may stand between the parts.
type gathering struct {
	gatherer
	run runBuilder
}

// gatherer is the collector for l's parts in this unit.
func (rd *reader) gatherer(l *layout) *gathering {
	if g, ok := rd.gathers[l.Name]; ok {
		return g
	}
	if rd.gathers == nil {
		rd.gathers = map[string]*gathering{}
	}
	g := &gathering{gatherer: l.gather(rd), run: rd.spare}
	rd.spare = runBuilder{}
	rd.gathers[l.Name] = g
	rd.order = append(rd.order, g)
	return g
}

// with runs f with the collector's own run in the reader's hands.
func (g *gathering) with(rd *reader, f func()) {
	rd.run, g.run = g.run, rd.run
	f()
	rd.run, g.run = g.run, rd.run
}

// flush ends all collectors, in the order in which their layouts appeared.
func (rd *reader) flush() {
	rd.flushing = true
	defer func() { rd.flushing = false }()
	for _, g := range rd.order {
		if !rd.stop() {
			g.with(rd, g.flush)
		}
		rd.spare = g.run
	}
	clear(rd.gathers)
	rd.order = rd.order[:0]
}
