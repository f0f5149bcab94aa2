//go:build !unix

package main

import "io/fs"

// placeOf knows no owners here, so nothing counts as temporary.
func placeOf(fs.FileInfo) (disk uint64, owner int, err error) { return 0, 0, fs.ErrInvalid }

// linked is not asked here: where no owners are known, no database counts as temporary.
func linked(fs.FileInfo) bool { return true }

// mountedBelow is not asked here.
func mountedBelow(string) bool { return true }
