package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file tells data from code among the files that a run names. What a run loads as code is
// told by how its program is run: the first operand, an option that loads. A file of a format
// that holds values alone, and that nothing reads as code or as settings that name some, is
// none of it, whoever wrote it and wherever it stands among the words. One that a shell or an
// interpreter is told to run is run whatever its name.

// dataFormats are endings of tables, pictures, sounds, films, sequences and maps that hold
// values alone. Formats in which objects are stored (.pkl, .rds, .npy), in which scripts may
// stand (.svg, .html, .pdf, .xlsm) and in which tools keep settings (.json, .yaml, .txt) are not
// among them. Sorted.
const dataFormats = ".aac .avi .avro .bam .bed .bmp .csv .dbf .fa .fasta .fastq .feather .fits .flac .fq .geojson .gff .gif .gpx .gtf .ico .jpeg .jpg .jsonl .m4a .mkv .mov .mp3 .mp4 .ndjson .ogg " +
	".opus .orc .parquet .png .sam .shp .tif .tiff .tsv .vcf .wav .webm .webp"

// handedFormats are more of them, for files that stand behind a script: they are the script's
// arguments, and no settings of what runs it.
var handedFormats = []string{".json", ".toml", ".txt", ".xml", ".yaml", ".yml"}

// holdsData says whether a file is data by its name.
func holdsData(name string) bool {
	found := mark.Among(dataFormats, strings.ToLower(path.Ext(name)))
	return found
}

// handsOn are programs that hand all words behind their script to it (Rscript(1): options, file,
// args, in this order), and the ending of their scripts.
var handsOn = map[string]string{"Rscript": ".r"}

// loadOptions are parts of names of options whose value is loaded as code or as settings, by one
// letter or in full: what requires a file may run it whatever its ending (Node.js, mocha -r).
var loadOptions = []string{"c", "config", "f", "i", "import", "include", "l", "load", "loader", "m", "p", "plugin", "preload", "r", "register", "require", "script", "setup", "transform"}

// isData says whether word i of a run is the name of a file of data alone, and not told to be
// loaded.
func isData(words []string, i int) bool {
	name, option := words[i], words[i-1]
	if key, value, ok := cutAt(name, "="); ok && strings.HasPrefix(name, "-") {
		name, option = value, key
	}
	ending, hands := handsOn[path.Base(words[0])]
	handed := isAmong(words[1:i], "--") ||
		hands && slices.ContainsFunc(words[1:i], func(w string) bool { return !strings.HasPrefix(w, "-") && strings.ToLower(path.Ext(w)) == ending })
	if hands && handed && isAmong(handedFormats, strings.ToLower(path.Ext(name))) {
		return true
	}
	return holdsData(name) && (handed || i < 2 || !loadsByOption(option))
}

// loadsByOption says whether a word is an option that loads what it is given.
func loadsByOption(word string) bool {
	if !strings.HasPrefix(word, "-") {
		return false
	}
	parts := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(parts, func(p string) bool {
		return slices.ContainsFunc(loadOptions, func(l string) bool { return p == l || len(l) > 3 && strings.HasPrefix(p, l) })
	})
}

// searchesTests says whether a program only loads modules that it takes for tests by their
// language (docs.pytest.org, Python test discovery): a file of data that it is told is at most
// read by a plugin.
func searchesTests(program string) bool { return program == "pytest" || program == "py.test" }
