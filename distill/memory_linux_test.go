package distill

import (
	"cmp"
	"context"
	"fmt"
	"io"
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
		var res *Result
		res, err = Run(context.Background(), logs.Open([]string{root}, logs.Options{Workers: jobs, Stdin: os.Stdin}), Options{Config: DefaultConfig(), Workers: jobs})
		if err == nil {
			say(res)
		}
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

// say prints what came of a run, in the form of /proc's status.
func say(res *Result) {
	f := NewFigures(&res.Merge.CV)
	fmt.Printf("nodes:\t%d\nsupport:\t%d\ncovered-steps:\t%f\ncovered-runs:\t%f\n",
		len(res.Policy.Tree.Nodes), res.Merge.Bound.Support, f.StepCoverage, f.EpisodeCoverage)
}

// usage is what one distillation took, and what it said.
type usage struct {
	peak, cpu, wall float64
	said            map[string]float64
}

// distilApart distils root in a process of its own.
func distilApart(b *testing.B, root string, jobs int) usage {
	return measured(b, exec.Command(os.Args[0]), root, jobs)
}

// distilPiped is distilApart for logs that write sends.
func distilPiped(b *testing.B, jobs int, write func(io.Writer) error) usage {
	r, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	wrote := make(chan error, 1)
	go func() {
		err := write(w)
		wrote <- cmp.Or(err, w.Close())
	}()
	cmd := exec.Command(os.Args[0])
	cmd.Stdin = r
	u := measured(b, cmd, "-", jobs)
	if err := <-wrote; err != nil {
		b.Fatal(err)
	}
	return u
}

func measured(b *testing.B, cmd *exec.Cmd, root string, jobs int) usage {
	cmd.Env = append(os.Environ(), envLogs+"="+root, envJobs+"="+strconv.Itoa(jobs))
	cmd.Stderr = os.Stderr
	start := b.Elapsed()
	status, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	u := usage{
		wall: (b.Elapsed() - start).Seconds(),
		cpu:  (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		said: map[string]float64{},
	}
	for line := range strings.Lines(string(status)) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64)
			if err == nil {
				u.said[name] = n
			}
		}
	}
	// Not ru_maxrss, which begins with the parent's size (getrusage(2)): VmHWM is
	// of the process's own memory (proc_pid_status(5)).
	if u.peak = u.said["VmHWM"] / 1024; u.peak == 0 {
		b.Fatalf("no peak in %q", status)
	}
	return u
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
