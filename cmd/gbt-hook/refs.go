package main

import (
	"bytes"
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
	if common == "" {
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
	r.Fetched = fetchedHere(own, r.At)
	r.Kept = keptByRef(common, packed, r.At, append(slices.Clone(but), name))
	return r
}

// gitDirsAbove are the directory of a work tree's own and that of its repository, for a
// directory in the work tree or for the repository's own.
func gitDirsAbove(dir string) (own, common string) {
	if info, err := os.Stat(filepath.Join(dir, "refs")); err == nil && info.IsDir() && exists(filepath.Join(dir, "HEAD")) && exists(filepath.Join(dir, "objects")) {
		return dir, dir
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", ""
	}
	for ; ; dir = filepath.Dir(dir) {
		if own, common = gitDirs(filepath.Join(dir, ".git")); common != "" || dir == filepath.Dir(dir) {
			return own, common
		}
	}
}

// objectName says whether a text is the full name of an object.
func objectName(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// readSome reads a file that is no longer than that; one that is not there is empty.
func readSome(name string, most int64) (text string, whole bool) {
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

// keptByRef says whether a ref stands for an object, or the record of a branch that is there
// names it, but for some refs.
func keptByRef(common, packed, at string, but []string) bool {
	found, seen := false, 0
	var records []string
	filepath.WalkDir(filepath.Join(common, "refs"), func(p string, d fs.DirEntry, err error) error {
		if seen++; err != nil || found || seen > maxLoose {
			return fs.SkipAll
		}
		name := strings.TrimPrefix(p, common+"/")
		if !d.Type().IsRegular() || slices.Contains(but, name) || !countsAsRef(name) {
			return nil
		}
		data, err := os.ReadFile(p)
		found = err == nil && strings.TrimSpace(string(data)) == at
		if strings.HasPrefix(name, "refs/heads/") {
			records = append(records, name)
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
			records = append(records, name)
		}
	}
	for i := 0; i < min(len(records), maxRecords) && !found; i++ {
		found = recorded(filepath.Join(common, "logs", records[i]), at)
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

// recorded says whether the end of a branch's record says that it stood for an object
// (git-reflog(1)).
func recorded(file, at string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxRecord {
		f.Seek(-maxRecord, io.SeekEnd)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRecord))
	return err == nil && bytes.Contains(data, []byte(" "+at+" "))
}
