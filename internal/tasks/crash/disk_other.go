//go:build unix && !linux

package main

import "errors"

// disk is not there.
type disk struct{ at string }

var errNoDisk = errors.New("a disk of its own needs Linux")

func newDisk(string, string) (*disk, error) { return nil, errNoDisk }
func (*disk) close() error                  { return errNoDisk }
func (*disk) fill(int64) error              { return errNoDisk }
func (*disk) free() error                   { return errNoDisk }
func (*disk) hasPower() bool                { return false }
func (*disk) cut() error                    { return errNoDisk }
func (*disk) restore() error                { return errNoDisk }
