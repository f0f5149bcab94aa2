package logs

import (
	"archive/zip"
	"cmp"
	"path"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// zip reads an archive: an Inspect log, or files each of which is read like a
// file of its own. Members are read in the order of their names.
func (rd *reader) zip(z *zip.Reader, depth int) {
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxWindow(128<<20)))
	if isInspect(z) {
		rd.inspectArchive(z)
		return
	}
	near, wrap := rd.near, rd.wrap
	n := 0
	for _, f := range sortedMembers(z) {
		if rd.stop() {
			return
		}
		n++
		rd.member, rd.near = f.Name, beside{z: z, zin: path.Dir(f.Name)}
		rd.wrap++
		rd.zipMember(f, depth)
		rd.wrap = wrap
		rd.partial, rd.torn = false, false
	}
	rd.member, rd.near = "", near
	if n == 0 {
		rd.skip(place{index: -1}, "an empty archive")
	}
}

func (rd *reader) zipMember(f *zip.File, depth int) {
	r, err := f.Open()
	if err != nil {
		rd.problem(place{index: -1}, CodeBadArchive, "the archive member cannot be read: "+err.Error())
		return
	}
	defer r.Close()
	rd.content(&limited{r: r, left: rd.in.opts.maxInflate()}, depth+1)
}

// sortedMembers lists the files of an archive by name, the last of those that
// share one, which is how every zip reader takes it.
func sortedMembers(z *zip.Reader) []*zip.File {
	var out []*zip.File
	for _, f := range z.File {
		if !f.FileInfo().IsDir() {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	kept := out[:0]
	for i, f := range out {
		if i+1 == len(out) || out[i+1].Name != f.Name {
			kept = append(kept, f)
		}
	}
	return kept
}
