package logs

import (
	"cmp"
	"context"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Records reads the whole input with Options.Workers workers and yields in the
// order of the units and of the records in them. When ctx ends it stops early;
// the caller tells the two apart by ctx.Err.
func (in *Input) Records(ctx context.Context) iter.Seq[Record] {
	return Map(ctx, in, func(_ *Unit, r Record) Record { return r })
}

// Map reads the whole input, applies f to every record in the worker that read
// it, and yields the results in the order of the input. f is called from
// several goroutines. Results wait in memory only a few batches ahead of the
// consumer, however large the input is.
func Map[T any](ctx context.Context, in *Input, f func(*Unit, Record) T) iter.Seq[T] {
	n := in.opts.workers()
	if n == 1 {
		return mapAlone(ctx, in, f)
	}
	return func(yield func(T) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()

		jobs := make(chan job[T])
		queue := make(chan job[T], 4*n) // how far units are begun ahead
		wg.Go(func() { deal(ctx, in, queue, jobs) })
		for range n {
			wg.Go(func() {
				for j := range jobs {
					j.run(ctx, f)
				}
			})
		}
		for j := range queue {
			for batch := range j.out {
				for _, t := range batch {
					if !yield(t) {
						return
					}
				}
			}
		}
	}
}

func mapAlone[T any](ctx context.Context, in *Input, f func(*Unit, Record) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for u := range in.Units(ctx) {
			for r := range u.Records(ctx) {
				if !yield(f(u, r)) {
					return
				}
			}
		}
	}
}

// job is one unit on its way through Map.
type job[T any] struct {
	unit *Unit
	out  chan []T
}

// deal hands the units out in order: first to the consumer's queue, then to a
// worker. So the unit that the consumer waits for always has a worker.
func deal[T any](ctx context.Context, in *Input, queue, jobs chan<- job[T]) {
	defer close(jobs)
	defer close(queue)
	for u := range in.Units(ctx) {
		j := job[T]{unit: u, out: make(chan []T, 4)}
		for _, to := range []chan<- job[T]{queue, jobs} {
			select {
			case to <- j:
			case <-ctx.Done():
				return
			}
		}
	}
}

// run reads the unit and sends its results in batches, so that neither a
// thousand tiny records nor one giant unit costs more than a few of them.
func (j job[T]) run(ctx context.Context, f func(*Unit, Record) T) {
	defer close(j.out)
	var batch []T
	for r := range j.unit.Records(ctx) {
		batch = append(batch, f(j.unit, r))
		if len(batch) == 64 {
			if !j.send(ctx, batch) {
				return
			}
			batch = nil
		}
	}
	j.send(ctx, batch)
}

func (j job[T]) send(ctx context.Context, batch []T) bool {
	select {
	case j.out <- batch:
		return true
	case <-ctx.Done():
		return false
	}
}

// eachWindow is how many units Each holds results of.
const eachWindow = 4096

// Each reads every unit with f, several at once, and yields one result per
// unit in the order of the units. Within a window of some thousand units the
// largest are read first, so that no large file is left to one worker at the
// end.
func Each[R any](ctx context.Context, in *Input, f func(*Unit, iter.Seq[Record]) R) iter.Seq2[*Unit, R] {
	return func(yield func(*Unit, R) bool) {
		window := make([]*Unit, 0, eachWindow)
		give := func() bool {
			results := eachOf(ctx, in.opts.workers(), window, f)
			for i, u := range window {
				if ctx.Err() != nil || !yield(u, results[i]) {
					return false
				}
			}
			window = window[:0]
			return true
		}
		for u := range in.Units(ctx) {
			if window = append(window, u); len(window) == eachWindow && !give() {
				return
			}
		}
		give()
	}
}

func eachOf[R any](ctx context.Context, workers int, units []*Unit, f func(*Unit, iter.Seq[Record]) R) []R {
	order, sizes := make([]int, len(units)), make([]int64, len(units))
	for i, u := range units {
		order[i], sizes[i] = i, u.Size()
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	results := make([]R, len(units))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, len(units)) {
		wg.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(order) || ctx.Err() != nil {
					return
				}
				i := order[n]
				results[i] = f(units[i], units[i].Records(ctx))
			}
		})
	}
	wg.Wait()
	return results
}
