package traverse

import (
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// BenchmarkCall is a call that a session checks and observes, under 1,000 gates: a
// new one each time, as runs have them.
func BenchmarkCall(b *testing.B) {
	p := thousand(b, 1000)
	for name, format := range map[string]string{
		"shell": `{"command":"cd /w && python -m pytest tests/test_%d.py -x 2>&1 | tail -20"}`,
		"file":  `{"path":"src/a%d.py"}`,
	} {
		tool := map[string]string{"shell": "bash", "file": "read_file"}[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s := p.Start(Task{Text: fixTask}, env)
			for i := 0; b.Loop(); i++ {
				if i%256 == 0 {
					s = p.Start(Task{Text: fixTask}, env)
				}
				c := Call{Tool: tool, Args: fmt.Appendf(nil, format, i)}
				if a := s.Check(c); a.Disposition == gates.Rejected && i%256 < 40 {
					b.Fatal(a.Reasons)
				}
				s.Observe(c, Result{Output: []byte("ok")})
			}
		})
	}
}
