package main

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
)

// runGit runs git where the command runs and returns what it printed.
func runGit(e *env, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(e.ctx, "git", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, fail(exitInput, "git is not on the path")
	}
	if err != nil {
		return nil, fail(exitInput, "git %s: %v: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// gitLine is what git prints, without its line break.
func gitLine(e *env, args ...string) (string, error) {
	out, err := runGit(e, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// gitConfig returns all values of a key, none if it is not set.
func gitConfig(e *env, key string) []string {
	out, err := runGit(e, "config", "--null", "--get-all", key)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
