//go:build !darwin && !(linux && (amd64 || arm64))

package main

// bornAt says nothing here: nobody looks when files were made.
func bornAt(string) int64 { return 0 }
