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
	members := sortedMembers(z)
	for i, f := range members {
		if rd.stop() {
			return
		}
		n++
		if isEventMember(f) {
			if i == 0 || !isEventMember(members[i-1]) || path.Dir(members[i-1].Name) != path.Dir(f.Name) {
				rd.near = beside{z: z, zin: path.Dir(f.Name)}
				rd.zipEvents(members[i:])
			}
			continue
		}
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

// isEventMember says whether a member is an event file of an OpenHands V1
// conversation; those of one directory are one run.
func isEventMember(f *zip.File) bool { return eventFileRE.MatchString(path.Base(f.Name)) }

// zipEvents reads the events at the beginning of members that share a
// directory.
func (rd *reader) zipEvents(members []*zip.File) {
	dir := path.Dir(members[0].Name)
	g := newOpenhandsV1(rd)
	g.s.id = path.Base(path.Dir(dir))
	byName := map[string]*zip.File{}
	var entries []dirEntry
	for _, f := range members {
		if path.Dir(f.Name) != dir || !isEventMember(f) {
			break
		}
		byName[path.Base(f.Name)] = f
		entries = append(entries, dirEntry{name: path.Base(f.Name)})
	}
	for i, name := range eventFiles(entries) {
		if rd.stop() {
			return
		}
		rd.member = byName[name].Name
		v := rd.zipValue(byName[name], place{index: i})
		if v == nil {
			rd.partial = true
			continue
		}
		rd.eventValue(g, v, place{index: i})
	}
	rd.member = dir
	g.finish(path.Base(path.Dir(dir)))
	rd.partial = false
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
