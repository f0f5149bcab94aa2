package logs

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
)

// Unit is one readable part of the input: a file, standard input, or a
// directory that holds one run.
type Unit struct {
	Name string // path as the user gave it, or "-"

	in     *Input
	roots  *reach
	dir    bool             // an event directory
	events []string         // of it, only these were named, sorted; nil means all
	named  bool             // the user named this very file, and no other
	passed string           // why it is not read
	broken *corpora.Problem // what was wrong already while walking
}

// Records reads the unit. It never panics: a fault of this package becomes a
// problem with code "internal" that costs this unit.
func (u *Unit) Records(ctx context.Context) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		rd := u.in.reader()
		defer u.in.release(rd)
		rd.start(ctx, u, yield)
		rd.guard(rd.unit)
		if rd.emitted == 0 && !rd.stop() {
			rd.skip(place{index: -1}, "nothing in it is a run")
		}
	}
}

// guard runs f and turns a panic of it into a problem. Panics that come from
// the consumer's loop body pass through.
func (rd *reader) guard(f func()) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if rd.outside {
			panic(p)
		}
		rd.problem(place{index: -1}, CodeInternal, fmt.Sprintf("reading stopped at a fault of this program: %v", p))
	}()
	f()
}

// unit reads the whole unit.
func (rd *reader) unit() {
	switch {
	case rd.u.broken != nil:
		rd.emit(Record{Problem: rd.u.broken})
	case rd.u.passed != "":
		rd.skip(place{index: -1}, rd.u.passed)
	case rd.u.dir:
		rd.eventDir()
	case rd.u.Name == "-":
		rd.stdin()
	default:
		rd.file()
	}
}

func (rd *reader) stdin() {
	if rd.in.opts.Stdin == nil {
		rd.problem(place{index: -1}, CodeUnreadable, "there is no standard input to read")
		return
	}
	rd.content(Interruptible(rd.ctx, rd.in.opts.Stdin), 0)
}

func (rd *reader) file() {
	if st, err := os.Stat(rd.u.Name); err == nil && !st.Mode().IsRegular() {
		rd.content(Interruptible(rd.ctx, &lateFile{name: rd.u.Name}), 0)
		return
	}
	f, err := os.Open(rd.u.Name)
	if err != nil {
		rd.unreadable(err)
		return
	}
	defer f.Close()
	rd.disk = f
	rd.content(f, 0)
}

func (rd *reader) unreadable(err error) {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	rd.problem(place{index: -1}, CodeUnreadable, fmt.Sprintf("cannot be read: %v", err))
}

// maxWrap is how many layers of compression are taken off one unit.
const maxWrap = 3

// content reads one stream of unknown content.
func (rd *reader) content(r io.Reader, depth int) {
	data, rest, err := rd.fill(r)
	if err != nil {
		rd.streamError(err)
		if len(data) == 0 {
			return
		}
		rest, rd.torn, rd.partial = nil, true, true
	}
	switch {
	case len(bytes.TrimLeft(data, " \t\r\n\x00")) == 0 && rest == nil:
		rd.skip(place{index: -1}, "empty")
	case isWrapped(data):
		rd.unwrap(data, rest, depth)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06")):
		rd.zipContent(data, rest, depth)
	case bytes.HasPrefix(data, []byte(policyMagic)):
		rd.skipOwn(place{index: -1}, "a policy that gbt distill wrote, not a log")
	case bytes.HasPrefix(data, []byte(reportHead)):
		rd.skipOwn(place{index: -1}, "a report that gbt distill wrote, not a log")
	case bytes.HasPrefix(data, []byte(suiteHead)):
		rd.skipOwn(place{index: -1}, "a regression suite, not a log")
	case bytes.HasPrefix(data, []byte(proposalsHead)), bytes.HasPrefix(data, []byte(decisionsHead)):
		rd.skipOwn(place{index: -1}, "proposals or decisions about a policy, not a log")
	case bytes.HasPrefix(data, []byte("PAR1")):
		rd.parquet(data, rest)
	default:
		rd.plain(data, rest)
	}
}

// minHead is how much of the content is looked at to find its shape, however
// low the whole limit is.
const minHead = 64 << 10

// fill reads up to the whole limit. A nil rest says that data is everything.
func (rd *reader) fill(r io.Reader) (data []byte, rest io.Reader, err error) {
	limit := max(rd.in.opts.wholeLimit(), minHead)
	if rd.wholes == nil {
		rd.wholes = make([]byte, 0, 64<<10)
	}
	b := rd.wholes[:0]
	if f, ok := r.(*os.File); ok {
		if st, err := f.Stat(); err == nil && st.Size() < int64(limit) {
			b = grow(b, int(st.Size())+1)
		}
	}
	for {
		if len(b) >= limit {
			rd.wholes = b
			return b, r, nil
		}
		if len(b) == cap(b) {
			b = grow(b, min(max(2*cap(b), 64<<10), limit))
		}
		n, err := r.Read(b[len(b):min(cap(b), limit)])
		b = b[:len(b)+n]
		if err != nil {
			rd.wholes = b
			if err == io.EOF {
				err = nil
			}
			return b, nil, err
		}
		if rd.stop() {
			return nil, nil, nil
		}
	}
}

func grow(b []byte, n int) []byte {
	if cap(b) >= n {
		return b
	}
	return append(make([]byte, 0, n), b...)
}

// atOnce gives content whose directory is at its end: the file on disk, or all
// of a stream, in memory. It reports what fails.
func (rd *reader) atOnce(data []byte, rest io.Reader) (r io.ReaderAt, size int64, ok bool) {
	if rd.disk != nil && rd.member == "" && rd.wrap == 0 {
		st, err := rd.disk.Stat()
		if err != nil {
			rd.unreadable(err)
			return nil, 0, false
		}
		return rd.disk, st.Size(), true
	}
	all, err := rd.readAll(data, rest)
	if err != nil {
		rd.streamError(err)
		return nil, 0, false
	}
	return bytes.NewReader(all), int64(len(all)), true
}

// zipContent reads a zip archive. Its directory is at the end, so an archive
// that comes through a pipe or out of a compressed file is held in memory, up
// to the record limit.
func (rd *reader) zipContent(data []byte, rest io.Reader, depth int) {
	if depth >= maxWrap {
		rd.problem(place{index: -1}, CodeBadArchive, fmt.Sprintf("packed more than %d times over", maxWrap))
		return
	}
	at, size, ok := rd.atOnce(data, rest)
	if !ok {
		return
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		rd.problem(place{index: -1}, CodeBadArchive, fmt.Sprintf("the zip archive is damaged: %v", err))
		return
	}
	rd.zip(z, depth)
}

// readAll holds a stream in memory of its own, up to the record limit.
func (rd *reader) readAll(data []byte, rest io.Reader) ([]byte, error) {
	all := append([]byte(nil), data...)
	if rest == nil {
		return all, nil
	}
	limit := int64(rd.in.opts.maxRecord())
	more, err := io.ReadAll(io.LimitReader(rest, limit-int64(len(all))+1))
	if err != nil {
		return nil, err
	}
	if all = append(all, more...); int64(len(all)) > limit {
		return nil, errTooBig
	}
	return all, nil
}

// looksLikeLog says whether a name promises a log. It decides only whether
// content that nobody knows is a problem or a skip.
func looksLikeLog(name string) bool {
	name = strings.ToLower(name)
	for _, ext := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, ext)
	}
	for _, ext := range []string{".json", ".jsonl", ".ndjson", ".traj", ".eval", ".parquet", ".zip"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}
