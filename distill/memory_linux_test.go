package distill

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// Variables of a test binary that is to distil and nothing else.
const (
	envLogs = "GBT_TEST_DISTILL"
	envJobs = "GBT_TEST_JOBS"
)

// TestMain distils, as a process of its own, what the environment names: only
// so can the peak of its memory be told from that of the tests.
func TestMain(m *testing.M) {
	root := os.Getenv(envLogs)
	if root == "" {
		os.Exit(m.Run())
	}
	jobs, err := strconv.Atoi(os.Getenv(envJobs))
	if err == nil {
		LimitMemory(jobs) // as gbt distill does
		_, err = Run(context.Background(), logs.Open([]string{root}, logs.Options{Workers: jobs}), Options{Config: DefaultConfig(), Workers: jobs})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(status)
	os.Exit(0)
}

// usage is what one distillation took.
type usage struct{ peak, cpu, wall float64 }

// distilApart distils root in a process of its own.
func distilApart(b *testing.B, root string, jobs int) usage {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envLogs+"="+root, envJobs+"="+strconv.Itoa(jobs))
	cmd.Stderr = os.Stderr
	start := b.Elapsed()
	status, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	wall := b.Elapsed() - start
	// Not ru_maxrss, which begins with the parent's size (getrusage(2)): VmHWM is
	// of the process's own memory (proc_pid_status(5)).
	_, line, ok := bytes.Cut(status, []byte("VmHWM:"))
	peak, err := strconv.ParseFloat(strings.TrimSpace(strings.Split(string(line), "kB")[0]), 64)
	if !ok || err != nil {
		b.Fatalf("no peak in %q: %v", status, err)
	}
	return usage{
		peak: peak / 1024,
		cpu:  (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		wall: wall.Seconds(),
	}
}

// BenchmarkMemory distils the example logs, and the shared corpora where they
// are present, 1, 4 and 16 times over with other ids and words, each in a
// process of its own on two workers, and reports its peak of resident memory.
func BenchmarkMemory(b *testing.B) {
	roots := map[string]string{"examples": filepath.Join("..", "examples", "logs")}
	if dir := sharedLogs(); dir != "" {
		roots["shared"] = dir
	}
	for _, name := range []string{"examples", "shared"} {
		root, ok := roots[name]
		for _, copies := range []int{1, 4, 16} {
			if !ok {
				continue
			}
			b.Run(fmt.Sprintf("%s/x%d", name, copies), func(b *testing.B) {
				dir := b.TempDir()
				replicate(b, root, dir, copies)
				b.ResetTimer()
				var most usage
				for b.Loop() {
					u := distilApart(b, dir, 2)
					most.peak, most.cpu = max(most.peak, u.peak), max(most.cpu, u.cpu)
				}
				b.ReportMetric(most.peak, "peak-MB")
				b.ReportMetric(most.cpu, "cpu-s")
			})
		}
	}
}
