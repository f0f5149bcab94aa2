//go:build !unix

package undo

const noFollow = 0
