package logs

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// isWrapped says whether data begins like gzip or zstd.
func isWrapped(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd})
}

// unwrap takes off one layer of compression and reads what is inside.
func (rd *reader) unwrap(data []byte, rest io.Reader, depth int) {
	if depth == maxWrap {
		rd.problem(place{index: -1}, CodeBadArchive, fmt.Sprintf("compressed more than %d times over", maxWrap))
		return
	}
	all := io.Reader(bytes.NewReader(bytes.Clone(data)))
	if rest != nil {
		all = io.MultiReader(all, rest)
	}
	r, done, err := decompressor(data, all)
	if err != nil {
		rd.problem(place{index: -1}, CodeBadArchive, "the compressed content is damaged: "+reason(err))
		return
	}
	defer done()
	rd.wrap++
	rd.content(&limited{r: r, left: rd.in.opts.maxInflate()}, depth+1)
	rd.wrap--
}

func decompressor(head []byte, all io.Reader) (io.Reader, func(), error) {
	if head[0] == 0x1f {
		z, err := gzip.NewReader(all)
		return z, func() {}, err
	}
	// One goroutine at a time: units already run side by side. The window
	// limit keeps a hostile header from asking for gigabytes.
	z, err := zstd.NewReader(all, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}

// unpackAll takes all layers of compression off content that is held whole.
// More than limit bytes are an error.
func unpackAll(data []byte, limit int64) ([]byte, error) {
	for n := 0; isWrapped(data); n++ {
		if n == maxWrap {
			return nil, fmt.Errorf("compressed more than %d times over", maxWrap)
		}
		r, done, err := decompressor(data, bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		data, err = io.ReadAll(&limited{r: r, left: limit + 1})
		done()
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// unmarked is text without a byte order mark, in UTF-8 if the mark says that it
// is UTF-16.
func unmarked(data []byte) []byte {
	for _, mark := range []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(data, []byte(mark)) {
			out, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), data)
			if err != nil {
				return data
			}
			return out
		}
	}
	return data
}

// limited fails, unlike io.LimitedReader, when there is more than left.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooBig
	}
	if int64(len(p)) > l.left {
		p = p[:l.left]
	}
	n, err := l.r.Read(p)
	l.left -= int64(n)
	return n, err
}
