package logs

import (
	"io"

	"github.com/gbt-policy/gbt/corpora"
)

// Record is one thing found in the input. Exactly one field is set.
type Record struct {
	Episode *corpora.Episode
	Skip    *corpora.Skip
	Problem *corpora.Problem
}

// Origin is where the record stands.
func (r Record) Origin() corpora.Origin {
	switch {
	case r.Episode != nil:
		return r.Episode.Origin
	case r.Skip != nil:
		return r.Skip.Origin
	case r.Problem != nil:
		return r.Problem.Origin
	}
	return corpora.Origin{Index: -1}
}

// Options change how input is read. The zero value is the documented default.
type Options struct {
	// Stdin is read for the path "-"; without it "-" is a problem.
	Stdin io.Reader
	// Workers is the number of units read at once; 0 means one per processor.
	Workers int
	// MaxRecord is the most bytes one record may have; 0 means 256 MiB. A
	// longer one is a problem, and the rest of its file is still read.
	MaxRecord int
	// WholeLimit is the largest document parsed as a whole; 0 means 8 MiB,
	// which keeps a worker's parser below about 40 MB. Larger documents are
	// walked element by element.
	WholeLimit int
	// MaxInflate is the most bytes that one compressed unit or member may
	// unpack to; 0 means 16 GiB.
	MaxInflate int64
	// Output is the file that the run writes, if it may stand among the input:
	// it is skipped, and so is the temporary file beside it, .NAME.tmp-….
	Output string
}

func (o Options) maxRecord() int {
	if o.MaxRecord > 0 {
		return o.MaxRecord
	}
	return 256 << 20
}

func (o Options) wholeLimit() int {
	if o.WholeLimit > 0 {
		return o.WholeLimit
	}
	return 8 << 20
}

func (o Options) maxInflate() int64 {
	if o.MaxInflate > 0 {
		return o.MaxInflate
	}
	return 16 << 30
}

// The problem codes. They are stable: scripts may test for them.
const (
	CodeUnreadable    = "unreadable"     // the file or directory cannot be opened or read
	CodeBadJSON       = "bad-json"       // the text is not JSON at the place named
	CodeCut           = "cut-file"       // the JSON ends in the middle
	CodeUnknownLayout = "unknown-layout" // JSON, but no layout that is known
	CodeBadRecord     = "bad-record"     // a known layout, but a part that it needs is missing or odd
	CodeTooLong       = "record-too-long"
	CodeTooDeep       = "too-deep"
	CodeBadEncoding   = "bad-encoding" // not UTF-8; read as Windows-1252 instead
	CodeBinary        = "binary"       // binary content where the name promises a log
	CodeBadArchive    = "bad-archive"  // a zip, gzip, zstd or Parquet file that is damaged
	CodeTooBig        = "unpacks-too-big"
	CodeNoMatch       = "no-such-file" // a path or pattern that names nothing
	CodeNoArguments   = "no-arguments" // a trace whose calls have no arguments cannot feed gates
	CodeInternal      = "internal"     // a fault of this program, confined to one unit
)

// Codes lists every problem code that a reader can give.
func Codes() []string {
	return []string{
		CodeUnreadable, CodeBadJSON, CodeCut, CodeUnknownLayout, CodeBadRecord,
		CodeTooLong, CodeTooDeep, CodeBadEncoding, CodeBinary, CodeBadArchive,
		CodeTooBig, CodeNoMatch, CodeNoArguments, CodeInternal,
	}
}
