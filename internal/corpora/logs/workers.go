package logs

import (
	"context"
	"iter"
	"runtime"
	"sync"
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

// Map reads the whole input, applies f to every record, and yields the results
// in the order of the input. f is called from several goroutines. Results wait
// in memory only a few batches ahead of the consumer, however large the input
// is.
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
		crew := &crew[T]{f: f, batches: make(chan *batch[T])}
		wg.Go(func() { deal(ctx, in, queue, jobs) })
		for range n {
			wg.Go(func() { crew.work(ctx, jobs) })
		}
		for j := range queue {
			for b, ok := j.next(ctx); ok; b, ok = j.next(ctx) {
				for _, t := range <-b.done {
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
	out  chan *batch[T]
}

// next is the unit's next batch. No worker may ever come to a unit that is dealt
// when the context ends.
func (j job[T]) next(ctx context.Context) (*batch[T], bool) {
	select {
	case b, ok := <-j.out:
		return b, ok
	case <-ctx.Done():
		return nil, false
	}
}

// deal hands the units out in order: first to the consumer's queue, then to a
// worker. So the unit that the consumer waits for always has a worker.
func deal[T any](ctx context.Context, in *Input, queue, jobs chan<- job[T]) {
	defer close(jobs)
	defer close(queue)
	for u := range in.Units(ctx) {
		j := job[T]{unit: u, out: make(chan *batch[T], 4)}
		for _, to := range []chan<- job[T]{queue, jobs} {
			select {
			case to <- j:
			case <-ctx.Done():
				return
			}
		}
	}
}

// The bounds of a batch: neither a thousand tiny records nor one giant unit
// costs more than a few of them.
const (
	batchRecords = 64
	batchChars   = 256 << 10
)

// batch is some records of a unit, in order.
type batch[T any] struct {
	unit    *Unit
	records []Record
	chars   int64
	done    chan []T // gets the results; has room for them
}

// full says whether the batch should go on its way.
func (b *batch[T]) full() bool { return len(b.records) == batchRecords || b.chars >= batchChars }

func (b *batch[T]) add(r Record) {
	b.records = append(b.records, r)
	if r.Episode != nil {
		b.chars += r.Episode.Chars
	}
}

// crew is the workers of one Map. Each reads units; one that has none to read, or
// must wait until its results are wanted, takes batches off the others. So one
// large file does not leave all the work to the worker that reads it.
type crew[T any] struct {
	f       func(*Unit, Record) T
	batches chan *batch[T] // without room: a batch is taken at once or not at all
}

func (c *crew[T]) work(ctx context.Context, jobs <-chan job[T]) {
	for {
		select {
		case j, ok := <-jobs:
			if !ok {
				c.help(ctx)
				return
			}
			c.read(ctx, j)
		case b := <-c.batches:
			c.do(b)
		}
	}
}

// help takes batches off the others until the input has ended.
func (c *crew[T]) help(ctx context.Context) {
	for {
		select {
		case b := <-c.batches:
			c.do(b)
		case <-ctx.Done():
			return
		}
	}
}

func (c *crew[T]) do(b *batch[T]) {
	out := make([]T, len(b.records))
	for i, r := range b.records {
		out[i] = c.f(b.unit, r)
	}
	b.done <- out
}

// read reads the unit and sends it on in batches.
func (c *crew[T]) read(ctx context.Context, j job[T]) {
	defer close(j.out)
	b := c.batch(j)
	for r := range j.unit.Records(ctx) {
		if b.add(r); b.full() {
			if !c.send(ctx, j, b) {
				return
			}
			b = c.batch(j)
		}
	}
	c.send(ctx, j, b)
}

func (c *crew[T]) batch(j job[T]) *batch[T] {
	return &batch[T]{unit: j.unit, done: make(chan []T, 1)}
}

// send has the batch worked on, by another worker if one waits for work, and
// queues it for the consumer. Until there is room, it works for others.
func (c *crew[T]) send(ctx context.Context, j job[T], b *batch[T]) bool {
	select {
	case c.batches <- b:
	default:
		c.do(b)
	}
	for {
		select {
		case j.out <- b:
			return true
		case other := <-c.batches:
			c.do(other)
		case <-ctx.Done():
			return false
		}
	}
}
