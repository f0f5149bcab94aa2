//go:build unix

package undo

import "syscall"

// noFollow refuses a link, and does not wait for the other end of a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
