package main

import (
	"io"
	"os"
)

// Bounds of what is read to follow what code loads: bytes of a file, and names of a
// directory.
const (
	maxLoaded = 256 << 10
	maxNames  = 5000 // a directory with as many may hold more
)

// textOf is what a file holds, as far as the bound; a directory and what is no file hold
// nothing.
func textOf(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxLoaded))
	return string(data), err == nil
}

// namesIn are the names in a directory, those of directories with a slash at their end.
func namesIn(path string) []string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(maxNames) // as far as it can be read
	out := make([]string, 0, len(list))
	for _, e := range list {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		out = append(out, name)
	}
	return out
}
