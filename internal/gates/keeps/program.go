package keeps

// Fact is something that a program leaves as it is, or does and no more.
type Fact uint8

// What may be known of a program.
const (
	// Prints: it prints what it reads, or what it finds of it, and does nothing else with it than what its
	// effects say. Code that it reads from a file is an effect of its own, but for some options.
	Prints Fact = 1 << iota
	// Ends: it ends when it has read and printed, and changes and starts nothing but where the line sends what it
	// prints (of tail with no option that follows).
	Ends
	// Files: it changes no file of the workspace where it only runs.
	Files
	// Modules: it brings in and takes away no file that code loads, beside those that its effects name.
	Modules
	// Others: it changes no file beside those that its effects name, not even a backup or a part under another
	// name, and runs no other program.
	Others
	// Refs: it moves and makes no branch and no tag of git.
	Refs
	// Changes: it looks, or writes what its effects name, before the line throws away what is not committed.
	Changes
)

// programs are sorted by name.
var programs = [...]row[Fact]{
	{"[", Prints | Ends | Others | Changes},
	{"ag", Prints},
	{"awk", Prints},
	{"base64", Prints},
	{"basename", Prints | Ends | Others},
	{"bat", Ends},
	{"bunzip2", Prints},
	{"bzcat", Prints},
	{"bzgrep", Prints},
	{"bzip2", Prints},
	{"cat", Prints | Ends | Files | Modules | Others | Refs},
	{"cd", Prints | Ends | Files | Modules | Refs},
	{"chmod", Others},
	{"cksum", Prints},
	{"cmp", Prints | Ends | Others},
	{"column", Prints | Others},
	{"comm", Prints | Others},
	{"cp", Modules},
	{"csvcut", Prints},
	{"csvlook", Prints},
	{"csvstat", Prints},
	{"cut", Prints | Ends | Modules | Others},
	{"date", Prints | Files | Modules | Others},
	{"df", Others},
	{"diff", Prints | Ends | Modules | Others},
	{"dirname", Prints | Ends | Others},
	{"du", Prints | Others},
	{"echo", Prints | Ends | Files | Modules | Others | Refs | Changes},
	{"egrep", Prints | Ends | Others},
	{"expand", Prints},
	{"expr", Others},
	{"false", Prints | Ends | Others},
	{"fd", Prints},
	{"fdfind", Prints},
	{"ffprobe", Prints},
	{"fgrep", Prints | Ends | Others},
	{"file", Prints | Ends},
	{"find", Prints | Others},
	{"fmt", Prints},
	{"fold", Prints | Others},
	{"gawk", Prints},
	{"git", Prints},
	{"grep", Prints | Ends | Files | Modules | Others},
	{"gunzip", Prints},
	{"gzip", Prints},
	{"head", Prints | Ends | Files | Modules | Others | Refs},
	{"hexdump", Prints},
	{"hostname", Others},
	{"iconv", Prints},
	{"id", Others},
	{"identify", Prints},
	{"join", Prints | Others},
	{"jq", Prints | Files | Modules | Others},
	{"less", Prints},
	{"look", Prints},
	{"ls", Prints | Ends | Files | Modules | Others | Refs},
	{"mawk", Prints},
	{"md5sum", Prints | Others},
	{"mediainfo", Prints},
	{"mkdir", Modules | Others | Changes},
	{"more", Prints},
	{"nice", Prints},
	{"nl", Prints | Ends | Others},
	{"nm", Prints},
	{"objdump", Prints},
	{"od", Prints | Ends},
	{"paste", Prints | Others},
	{"pdfinfo", Prints},
	{"pdftotext", Prints},
	{"popd", Prints},
	{"printf", Prints | Ends | Files | Modules | Others | Refs | Changes},
	{"pushd", Prints},
	{"pwd", Prints | Ends | Files | Modules | Others | Refs},
	{"read", Prints},
	{"readelf", Prints},
	{"readlink", Prints | Others},
	{"realpath", Prints | Others},
	{"rev", Prints | Others},
	{"rg", Prints | Files | Modules | Others},
	{"rm", Modules | Others},
	{"rmdir", Others},
	{"sed", Prints | Modules | Others},
	{"seq", Prints | Others},
	{"sha1sum", Prints},
	{"sha256sum", Prints | Others},
	{"sha512sum", Prints},
	{"shasum", Prints},
	{"shuf", Prints},
	{"size", Prints},
	{"sleep", Prints | Others},
	{"sort", Prints | Modules | Others},
	{"sqlite3", Prints},
	{"stat", Prints | Ends | Others},
	{"strings", Prints},
	{"tac", Prints | Ends | Others},
	{"tail", Prints | Ends | Files | Modules | Others | Refs},
	{"tar", Prints},
	{"tee", Modules | Others | Changes},
	{"test", Prints | Ends | Modules | Others | Changes},
	{"time", Prints | Files | Modules},
	{"timeout", Prints},
	{"touch", Modules | Others},
	{"tr", Prints | Ends | Modules | Others},
	{"tree", Prints},
	{"true", Prints | Ends | Files | Modules | Others | Refs | Changes},
	{"type", Prints},
	{"uname", Others},
	{"uniq", Prints | Ends | Modules | Others},
	{"unxz", Prints},
	{"unzip", Prints},
	{"wc", Prints | Ends | Files | Modules | Others | Refs},
	{"which", Prints | Files | Modules | Others},
	{"whoami", Others},
	{"xxd", Prints},
	{"xz", Prints},
	{"xzcat", Prints},
	{"xzgrep", Prints},
	{"yq", Prints},
	{"zcat", Prints},
	{"zgrep", Prints},
	{"zstd", Prints},
	{"zstdcat", Prints},
}

// Program says whether a program has a fact.
func Program(name string, fact Fact) bool { return has(programs[:], name, fact) }
