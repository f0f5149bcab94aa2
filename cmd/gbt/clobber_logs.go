package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// output is a file that a command writes, and the mark by which one that stands
// there already is known as the work of an earlier run.
type output struct{ flag, file, mark string }

// The marks: the first bytes of a policy and of a report, and what the footer of
// a Parquet file holds.
const (
	markPolicy   = "\x89GBT\r\n\x1a\n"
	markReport   = "# Distilled policy "
	markContexts = "gbt.contexts.version"
	markEpisodes = "gbt.episodes.version"

	markProposals = "{\n  \"format\": \"gbt proposals "
)

// spareLogs refuses outputs that would replace one of the logs, also one that
// only a directory or a pattern leads to. What an earlier run wrote there may be
// replaced, and so may an empty file. The logs are walked only if an output is
// there already and is something else.
func spareLogs(ctx context.Context, outs []output, paths []string) error {
	var taken []output
	for _, o := range outs {
		if info, err := os.Stat(o.file); o.file != "" && err == nil && info.Mode().IsRegular() && info.Size() > 0 && !o.known() {
			taken = append(taken, o)
		}
	}
	if len(taken) == 0 {
		return nil
	}
	var roots []string
	for _, p := range paths {
		if p != "-" {
			roots = append(roots, p)
		}
	}
	for u := range logs.Open(roots, logs.Options{}).Units(ctx) {
		for _, o := range taken {
			if sameFile(o.file, u.Name) || isDir(u.Name) && resolved(filepath.Dir(o.file)) == resolved(u.Name) {
				return fail(exitUsage, "%s would replace %s, which this run reads (a log): choose another name", o.flag, o.file)
			}
		}
	}
	return nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// known says whether the file that is there has the output's mark.
func (o *output) known() bool {
	f, err := os.Open(o.file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 32)
	n, _ := io.ReadFull(f, head)
	head = head[:n]
	if bytes.HasPrefix(head, []byte(o.mark)) {
		return true
	}
	if !bytes.HasPrefix(head, []byte("PAR1")) {
		return false
	}
	const footer = 64 << 10 // holds the schema, whose metadata has the mark
	info, err := f.Stat()
	if err != nil {
		return false
	}
	tail := make([]byte, min(footer, info.Size()))
	n, _ = f.ReadAt(tail, info.Size()-int64(len(tail)))
	return bytes.Contains(tail[:n], []byte(o.mark))
}
