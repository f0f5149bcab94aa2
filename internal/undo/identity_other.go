//go:build !linux && !darwin

package undo

import "io/fs"

// Elsewhere nothing tells that a file is as it was, so every look reads it.
func identify(fs.FileInfo) identity { return identity{} }
