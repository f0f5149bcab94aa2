package main

import (
	"os"
	"path/filepath"
)

// namedFile is a file as a flag or an argument names it.
type namedFile struct{ flag, file string }

// apart refuses outputs that are one file, and outputs that would replace what
// the run reads, under whatever names. Empty names are left out, and so are
// devices and pipes, which hold nothing to lose.
func apart(outs, ins []namedFile) error {
	var seen []namedFile
	for _, o := range outs {
		for _, other := range seen {
			if sameFile(o.file, other.file) {
				return fail(exitUsage, "%s and %s name the same file: %s", other.flag, o.flag, o.file)
			}
		}
		for _, in := range ins {
			if sameFile(o.file, in.file) {
				return fail(exitUsage, "%s would replace %s, which this run reads (%s): choose another name", o.flag, in.file, in.flag)
			}
		}
		seen = append(seen, o)
	}
	return nil
}

// sameFile says whether two names lead to one regular file, be it there or not.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return sa.Mode().IsRegular() && os.SameFile(sa, sb)
	}
	return errA != nil && errB != nil && resolved(a) == resolved(b)
}

// resolved is the absolute name of a file that need not be there, without links
// in its directory.
func resolved(name string) string {
	full, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(real, filepath.Base(full))
	}
	return full
}
