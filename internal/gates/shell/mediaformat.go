package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// mediaFormats are formats of FFmpeg that read or write the one file that is named: no
// device, no list of other files, nothing that is sent (ffmpeg-formats(1)). Sorted.
const mediaFormats = "3gp aac ac3 adts aiff alaw apng ass au avi caf crc dv eac3 f32be f32le f64be f64le ffmetadata flac flv framecrc framehash framemd5 gif h264 hash hevc image2 image2pipe ipod " +
	"ivf m4v matroska md5 mjpeg mov mp3 mp4 mpeg mpegts mulaw mxf null nut oga ogg ogv opus rawvideo s16be s16le s24be s24le s32be s32le s8 srt streamhash u8 vob wav webm webp " +
	"webvtt yuv4mpegpipe"

// mediaSources are filters that make pictures or sound of nothing (ffmpeg-filters(1), Video
// Sources and Audio Sources). Sorted.
const mediaSources = "aevalsrc allrgb allyuv anoisesrc anullsrc color gradients mandelbrot nullsrc pal75bars rgbtestsrc sine smptebars smptehdbars testsrc testsrc2 yuvtestsrc"

// mediaFormat judges the value of -f. With lavfi the input that follows is a filter, and no
// file.
func (r *toolRun) mediaFormat(word string) {
	if word == "lavfi" {
		r.generates = true
		return
	}
	if !mark.Among(mediaFormats, word) {
		r.m.escape(r.t.name + " " + word)
	}
}

// generated judges such an input: one source alone passes, with options that name no file.
func (r *toolRun) generated(word string) {
	r.generates = false
	name, options, _ := cutAt(word, "=")
	if !mark.Among(mediaSources, name) || strings.ContainsAny(options, ",;[]/@'\\") || strings.Contains(options, "file") {
		r.m.escape(r.t.name + " " + word)
	}
}

// numbered is a name with the number of a picture in it (%d, %03d: ffmpeg-formats(1),
// image2) as the pattern of the names that are read. Which names are written nobody knows.
func numbered(word string) string {
	before, rest, ok := cutAt(word, "%")
	digits, after, end := cutAt(rest, "d")
	if !ok || !end || strings.Trim(digits, "0123456789") != "" || strings.Contains(after, "%") {
		return word
	}
	return before + "*" + after
}
