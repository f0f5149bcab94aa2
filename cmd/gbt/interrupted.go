package main

import (
	"context"
	"errors"
)

// cannotReadStdin is the error of a command whose input broke off, or which the
// user interrupted while it waited for more.
func cannotReadStdin(err error) error {
	if errors.Is(err, context.Canceled) {
		return fail(exitUsage, "interrupted")
	}
	return fail(exitInput, "standard input: %v", err)
}

// cannotRead is the error of a command that could not read its logs, or which the
// user interrupted while it did.
func cannotRead(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fail(exitUsage, "interrupted")
	}
	return fail(exitInput, "%v", err)
}
