package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges words that name files in ways of their own: what a desktop opens,
// what an editor shows, and the filters of FFmpeg, some of which name files.

// ownRole is for words that mean what their program makes of them.
func (r *toolRun) ownRole(role byte, word string) bool {
	m := r.m
	switch role {
	case roleFormat:
		if r.t.name == "ffmpeg" {
			r.mediaFormat(word)
			break
		}
		if strings.ContainsAny(word, `./\`) || mark.Has(word) { // a file of code that defines one
			m.script(word)
		}
		if strings.HasPrefix(word, "_") { // PHPMD loads a file of that name, with slashes for underscores
			m.escape(r.t.name + " " + word)
		}
	case roleInput:
		r.help = true
		m.read(word)
	case roleLabelledOutput:
		_, path, labelled := cutAt(word, ":")
		if !labelled {
			path = word
		}
		if strings.Contains(path, ":") {
			m.escape(r.t.name + " " + word)
		}
		m.write(path, effect.OpCreate)
	case roleOpens:
		r.opens(word)
	case roleShown:
		r.shown(word)
	case roleAccount:
		m.account = word
	case rolePlain:
		r.plainWord(word)
	case roleFiltergraph:
		r.filtergraph(word)
	case roleDevice:
		r.device("", word)
	case roleWriteOut:
		r.writesOut(word)
	case roleAddresses:
		m.read(word)
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpFetch, Resource: m.prog})
	default:
		return false
	}
	return true
}

// documents are ends of files that a desktop's own programs only show. Sorted.
const documents = ".avif .bmp .csv .gif .heic .jpeg .jpg .json .log .md .mov .mp3 .mp4 .ogg .pdf .png .tif .tiff .tsv .txt .wav .webm .webp .xml .yaml .yml"

// pages are ends of files that a browser opens, which runs what is in them. Sorted.
var pages = [...]string{".htm", ".html", ".svg", ".xhtml"}

// opens judges a word of open(1) or xdg-open(1), which start what the system has for the
// word: a program that is one, a handler of an address, an editor, a browser. A
// directory is only known by a slash or a dot at its end.
func (r *toolRun) opens(word string) {
	end := strings.ToLower(path.Ext(strings.TrimRight(word, "/")))
	switch {
	case mark.Has(word) || addressed(word):
		r.m.escape(r.t.name + " " + word)
	case word == "." || word == ".." || end == "" && strings.HasSuffix(word, "/"):
		r.m.list(word)
	case mark.Among(documents, end):
		r.m.read(word)
	case searchNames(pages[:], end):
		r.m.script(word)
	default:
		r.m.escape(r.t.name + " " + word)
	}
}

// addressed says whether a word begins as an address does (RFC 3986, 3.1).
func addressed(word string) bool {
	scheme, _, ok := cutAt(word, ":")
	return ok && scheme != "" && strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+-.") == ""
}

// lookup records the names that are asked for and the servers that are asked, of dig's words:
// types and classes of records stand in capitals (dig(1)).
func (r *toolRun) lookup(word string) {
	server, named := cutPrefix(word, "@")
	if !named && (strings.HasPrefix(word, "+") || word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && strings.Trim(word, "0123456789") != "") {
		return
	}
	r.m.url(effect.OpProbe, server, "")
}

// plainWord judges a word that another shell reads again.
func (r *toolRun) plainWord(word string) {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:/=,@+%") != "" {
		r.m.escape(r.t.name + " " + word)
	}
}

// shown judges a word of an editor with subcommands: FILE, FILE:LINE or FILE:LINE:COLUMN.
func (r *toolRun) shown(word string) {
	file, at, _ := cutAt(word, ":")
	switch {
	case mark.Has(word) || !strings.ContainsAny(word, "./") || strings.Trim(at, "0123456789:") != "":
		r.m.escape(r.t.name + " " + word)
	case file == "." || file == ".." || strings.HasSuffix(file, "/"):
		r.m.list(file)
	default:
		r.m.read(file)
	}
}

// plainFilters are filters of FFmpeg none of whose options names a file, a program or a
// server (ffmpeg-filters(1)). Sorted.
var plainFilters = [...]string{
	"acompressor", "acopy", "acrossfade", "adelay", "aecho", "aformat", "afade", "alimiter", "aloop", "amerge", "amix", "anull", "apad", "areverse", "aresample", "asetnsamples", "asetpts", "asetrate",
	"asplit", "atempo", "atrim", "avgblur", "bandpass", "bass", "blackdetect", "blend", "boxblur", "channelsplit", "chromakey", "colorbalance", "colorchannelmixer", "colorkey", "colorspace", "compand",
	"concat", "copy", "crop", "cropdetect", "curves", "deband", "deblock", "decimate", "delogo", "deshake", "drawbox", "drawgrid", "dynaudnorm", "ebur128", "edgedetect", "eq", "equalizer", "fade", "fieldmatch",
	"fps", "framerate", "framestep", "freezedetect", "gblur", "hflip", "highpass", "hqdn3d", "hstack", "hue", "idet", "interlace", "lagfun", "loop", "loudnorm", "lowpass", "minterpolate", "negate", "nlmeans",
	"noise", "null", "overlay", "pad", "palettegen", "paletteuse", "pan", "pixelize", "reverse", "rotate", "scale", "select", "setdar", "setfield", "setpts", "setrange", "setsar", "settb", "sharpen",
	"showinfo", "showspectrumpic", "showwaves", "showwavespic", "silencedetect", "silenceremove", "split", "stereo3d", "tblend", "thumbnail", "tile", "tmix", "tonemap", "transpose", "treble", "trim",
	"unsharp", "vflip", "vibrance", "vignette", "volume", "volumedetect", "vstack", "xfade", "xstack", "yadif", "zoompan", "zscale",
}

// filterFiles are parts of names of options with which even those do (curves has psfile,
// deshake filename, ebur128 and silencedetect none). A slash before a name is a file with
// the option's value (ffmpeg-filters(1), Filtergraph syntax).
var filterFiles = [...]string{"file", "path", "/", "\\\\", "@"}

// filtergraph judges the filters of FFmpeg: a list with commas and semicolons of
// [LABEL]NAME=OPTIONS. What stands behind a comma within an expression begins with no
// letter, or is no filter and asks.
func (r *toolRun) filtergraph(word string) {
	ok := !mark.Has(word) && !slices.ContainsFunc(filterFiles[:], func(f string) bool { return strings.Contains(word, f) })
	for part := range strings.FieldsFuncSeq(word, func(c rune) bool { return c == ',' || c == ';' }) {
		ok = ok && plainFilter(part)
	}
	if !ok {
		r.m.escape(r.t.name + " " + word)
	}
}

func plainFilter(part string) bool {
	part = strings.TrimSpace(part)
	for strings.HasPrefix(part, "[") {
		_, rest, closed := cutAt(part, "]")
		if !closed {
			return false
		}
		part = strings.TrimSpace(rest)
	}
	name, _, _ := cutAt(part, "=")
	name, _, _ = cutAt(name, "[")
	name, _, _ = cutAt(name, "@")
	name = strings.TrimSpace(name)
	return name == "" || firstByte("0123456789-+.()", name[0]) >= 0 && !strings.Contains(part, "=") || searchNames(plainFilters[:], name)
}
