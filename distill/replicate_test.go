package distill

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/corpora/parquet"
)

// replicate writes the episodes of root copies times into dir, one file each
// time. Of every copy but the first, the ids and texts are its own: other
// episode and task ids, other digits in the arguments, and every fourth word of
// the task and of what the agent says is another one. Tools, commands and order
// stay: more runs of the same agents, not other agents.
func replicate(tb testing.TB, root, dir string, copies int) {
	tb.Helper()
	var outs []*parquet.Writer
	for i := range copies {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("copy-%02d.parquet", i)))
		if err != nil {
			tb.Fatal(err)
		}
		defer f.Close()
		w, err := parquet.NewWriter(f)
		if err != nil {
			tb.Fatal(err)
		}
		outs = append(outs, w)
	}
	for r := range logs.Open([]string{root}, logs.Options{}).Records(context.Background()) {
		if r.Episode == nil {
			continue
		}
		for i, w := range outs {
			if err := w.Write(changed(r.Episode, i)); err != nil {
				tb.Fatal(err)
			}
		}
	}
	for _, w := range outs {
		if err := w.Close(); err != nil {
			tb.Fatal(err)
		}
	}
}

// changed is copy i of an episode.
func changed(e *corpora.Episode, i int) *corpora.Episode {
	if i == 0 {
		return e
	}
	c := *e
	mark := fmt.Sprintf("-copy%d", i)
	c.ID += mark
	if c.TaskID != "" {
		c.TaskID += mark
	}
	c.Task = otherWords(c.Task, i)
	c.Steps = append([]corpora.Step(nil), e.Steps...)
	for j := range c.Steps {
		s := &c.Steps[j]
		s.Text = otherWords(s.Text, i)
		s.Args = strings.Map(func(r rune) rune {
			if r >= '1' && r <= '9' {
				return '1' + (r-'1'+rune(i))%9
			}
			return r
		}, s.Args)
	}
	return &c
}

// otherWords replaces every fourth word, a different choice in each copy.
func otherWords(s string, i int) string {
	words := strings.SplitAfter(s, " ")
	rnd := rand.New(rand.NewPCG(uint64(i), uint64(len(s))))
	for k := rnd.IntN(4); k < len(words); k += 4 {
		words[k] = fmt.Sprintf("w%x ", rnd.Uint32N(1<<20))
	}
	return strings.Join(words, "")
}

// sharedLogs is the directory of the shared corpora, empty if it is absent.
func sharedLogs() string {
	dir := filepath.Join("..", "..", "shared", "corpora")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}
