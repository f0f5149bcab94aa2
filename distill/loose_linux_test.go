package distill

import (
	"io"
	"os"
	"strconv"
	"testing"

	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
)

// BenchmarkLooseLogs distils 1,000 and 10,000 made-up runs that share little, or as many as GBT_LOOSE
// says, each in a process of its own that reads them from a pipe: a million are
// 9 GB. The document of package merge has the figures.
func BenchmarkLooseLogs(b *testing.B) {
	sizes := []int{1000, 10_000}
	if s := os.Getenv("GBT_LOOSE"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			b.Fatal(err)
		}
		sizes = []int{n}
	}
	for _, n := range sizes {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var u usage
			for b.Loop() {
				u = distilPiped(b, 2, func(w io.Writer) error { return corporatest.Loose{Runs: n, Seed: 1}.Write(w) })
			}
			b.ReportMetric(u.peak, "peak-MB")
			b.ReportMetric(u.cpu, "cpu-s")
			b.ReportMetric(u.wall, "wall-s")
			for _, name := range []string{"nodes", "support", "covered-steps", "covered-runs"} {
				b.ReportMetric(u.said[name], name)
			}
		})
	}
}
