package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// Bounds of what is read to find out where a ref leads and who else names its commit: the
// file of packed refs, what git fetched last, the end of a branch's record, and the number
// of refs and records. What lies beyond counts as not there, or as one that keeps nothing.
const (
	maxPacked  = 4 << 20
	maxFetched = 256 << 10
	maxRecord  = 256 << 10
	maxLoose   = 2000
	maxRecords = 64
)

// refOf looks at a ref in the repository that git finds from a directory, or whose own
// directory that is (gitrepository-layout(5), refs and packed-refs). It starts no program,
// and sees no refs that are kept in another format.
func refOf(dir, name string, but []string) gates.Ref {
	for _, v := range gitVariables {
		if os.Getenv(v) != "" {
			return gates.Ref{}
		}
	}
	own, common := gitDirsAbove(dir)
	if common == "" || exists(filepath.Join(common, "reftable")) {
		return gates.Ref{}
	}
	packed, whole := readSome(filepath.Join(common, "packed-refs"), maxPacked)
	if !whole {
		return gates.Ref{}
	}
	r := gates.Ref{Repo: common}
	data, err := os.ReadFile(filepath.Join(common, name))
	switch {
	case err == nil:
		if r.At = strings.TrimSpace(string(data)); !objectName(r.At) {
			return gates.Ref{} // it stands for another ref
		}
	default:
		if info, err := os.Lstat(filepath.Join(common, name)); err == nil && !info.IsDir() {
			return gates.Ref{}
		}
		if i := strings.Index("\n"+packed, " "+name+"\n"); i > 0 {
			line := packed[strings.LastIndexByte(packed[:i-1], '\n')+1 : i-1]
			if r.At = line; !objectName(line) {
				return gates.Ref{}
			}
		}
	}
	if r.At == "" {
		return r
	}
	r.Moved = moved(filepath.Join(common, "logs", name), r.At)
	r.Fetched = fetchedHere(own, r.At)
	r.Kept = keptByRef(common, packed, r.At, append(slices.Clone(but), name))
	return r
}

// gitDirsAbove are the directory of a work tree's own and that of its repository, for a
// directory in the work tree or in the repository's own. As git does, it goes up from where
// links lead, and looks at each level for a repository without a work tree, too.
func gitDirsAbove(dir string) (own, common string) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || !isDir(dir) {
		return "", ""
	}
	for ; ; dir = filepath.Dir(dir) {
		if own, common = gitDirs(filepath.Join(dir, ".git")); common != "" || dir == filepath.Dir(dir) {
			return own, common
		}
		if isDir(filepath.Join(dir, "refs")) && exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) {
			return dir, dir
		}
	}
}

// objectName says whether a text is the full name of an object.
func objectName(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// readSome reads a file that is no longer than that; one that is not there is empty.
func readSome(name string, most int64) (text string, whole bool) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return "", false // a pipe would keep the hook waiting
	}
	f, err := os.Open(name)
	if err != nil {
		return "", os.IsNotExist(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	return string(data), err == nil && int64(len(data)) <= most
}

// fetchedHere says whether git got an object from another machine when it fetched last
// (git-fetch(1), FETCH_HEAD): its source has a colon, and a directory has none.
func fetchedHere(own, at string) bool {
	text, whole := readSome(filepath.Join(own, "FETCH_HEAD"), maxFetched)
	for line := range strings.Lines(text) {
		if _, from, ok := strings.Cut(line, " of "); ok && whole && strings.HasPrefix(line, at+"\t") && strings.Contains(from, ":") {
			return true
		}
	}
	return false
}

// keptByRef says whether a ref stands for an object, or a branch that is there went forward
// from it by its record, but for some refs.
func keptByRef(common, packed, at string, but []string) bool {
	found, seen := false, 0
	type branch struct{ name, at string }
	var records []branch
	filepath.WalkDir(filepath.Join(common, "refs"), func(p string, d fs.DirEntry, err error) error {
		if seen++; err != nil || found || seen > maxLoose {
			return fs.SkipAll
		}
		name := strings.TrimPrefix(p, common+"/")
		if !d.Type().IsRegular() || slices.Contains(but, name) || !countsAsRef(name) {
			return nil
		}
		data, err := os.ReadFile(p)
		is := strings.TrimSpace(string(data))
		found = err == nil && is == at
		if strings.HasPrefix(name, "refs/heads/") {
			records = append(records, branch{name, is})
		}
		return nil
	})
	for line := range strings.Lines(packed) {
		was, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || slices.Contains(but, name) || !countsAsRef(name) || exists(filepath.Join(common, name)) && !isDir(filepath.Join(common, name)) {
			continue // what is packed is out of date where a file says more
		}
		found = found || was == at
		if strings.HasPrefix(name, "refs/heads/") && len(records) <= maxRecords {
			records = append(records, branch{name, was})
		}
	}
	for i := 0; i < min(len(records), maxRecords) && !found; i++ {
		found = recorded(filepath.Join(common, "logs", records[i].name), at, records[i].at)
	}
	return found
}

// countsAsRef says whether people find commits by such a ref.
func countsAsRef(name string) bool {
	return strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/remotes/") || strings.HasPrefix(name, "refs/tags/")
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// recorded says whether the end of a branch's record says that it stood for an object, and
// that it only went on from there to what it stands for now (git-reflog(1)): what was reset
// away only the record names, and only for a time.
func recorded(file, at, now string) bool {
	found, last := false, ""
	for _, m := range moves(file) {
		onward := m.from == m.to || strings.Trim(m.from, "0") != "" && forward(m.how)
		found = (found || m.from == at) && onward || m.to == at
		last = m.to
	}
	return found && last == now
}

// moved says whether the record of a ref says that it ever stood for anything but one object.
func moved(file, at string) bool {
	return slices.ContainsFunc(moves(file), func(m move) bool {
		return m.to != at || m.from != at && strings.Trim(m.from, "0") != ""
	})
}

// move is a line of a ref's record.
type move struct{ from, to, how string }

// moves are those at the end of a record; a line that is none of git's counts as one that
// leads from nowhere to nowhere.
func moves(file string) (out []move) {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxRecord {
		f.Seek(-maxRecord, io.SeekEnd)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRecord))
	if err != nil {
		return []move{{}}
	}
	for line := range strings.Lines(string(data)) {
		var m move
		m.from, line, _ = strings.Cut(line, " ")
		m.to, line, _ = strings.Cut(line, " ")
		_, m.how, _ = strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !objectName(m.from) || !objectName(m.to) {
			m = move{}
		}
		out = append(out, m)
	}
	return out
}

// forward says whether a branch keeps what it stood for before, by what git writes into its
// record: a commit, a merge and what is brought in by going forward alone. What is amended
// or rebased only the record keeps, too, but that passes with no other name for it as well.
func forward(how string) bool {
	for _, p := range [...]string{"commit: ", "commit (merge): ", "commit (cherry-pick): ", "commit (amend): ", "rebase (finish): ", "cherry-pick: ", "revert: ", "am: "} {
		if strings.HasPrefix(how, p) {
			return true
		}
	}
	for _, p := range [...]string{"merge ", "pull", "fetch"} {
		if strings.HasPrefix(how, p) {
			return strings.HasSuffix(strings.ToLower(how), ": fast-forward") || strings.Contains(how, ": Merge made by the '")
		}
	}
	return false
}
