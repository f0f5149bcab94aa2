//go:build linux && (amd64 || arm64)

package main

import (
	"runtime"
	"syscall"
	"unsafe"
)

// Numbers of statx(2), and where its answer of 256 bytes says when something was born.
const (
	atCwd             = ^uintptr(99) // -100
	atSymlinkNofollow = 0x100
	statxBtime        = 0x800
	birthAt           = 80
)

// bornAt is when an entry of a directory was made there, in milliseconds; zero where the file
// system does not say.
func bornAt(path string) int64 {
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return 0
	}
	number := uintptr(332)
	if runtime.GOARCH == "arm64" {
		number = 291
	}
	var b [256 / 8]uint64 // as it has to lie
	_, _, errno := syscall.Syscall6(number, atCwd, uintptr(unsafe.Pointer(name)), atSymlinkNofollow, statxBtime, uintptr(unsafe.Pointer(&b[0])), 0)
	if errno != 0 || *(*uint32)(unsafe.Pointer(&b[0]))&statxBtime == 0 {
		return 0
	}
	sec, nsec := *(*int64)(unsafe.Pointer(&b[birthAt/8])), *(*uint32)(unsafe.Pointer(&b[birthAt/8+1]))
	return sec*1000 + int64(nsec)/1e6
}
