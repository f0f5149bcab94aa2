package main

import (
	"slices"
	"time"
)

// calls are when calls of the session ran: what was made in these times may be their work.
// Times are in milliseconds.
type calls struct {
	First int64      // the session's first event; zero in sessions that began before this was kept
	Open  []openCall `json:",omitempty"`
	Done  [][2]int64 `json:",omitempty"` // from when to when, in order, none within another
	Built [][2]int64 `json:",omitempty"` // those of them that built or tested
}

type openCall struct {
	Key  string
	At   int64
	Does doing `json:",omitempty"`
}

// doing is what a call does, as far as it matters to files that are made while it runs.
type doing uint8

const (
	doesLook  doing = iota // it makes none
	doesBuild              // what it makes may be an output
	doesMore               // it may bring somebody's files there
)

// Bounds of what is kept of them, and of how long one call may have run: one that its user
// was asked about for longer than that says little of when it ran.
const (
	maxOpenCalls = 16
	maxDoneCalls = 64
	maxCallTime  = 20 * time.Minute
	maxBuildTime = 10 * time.Minute
	clockSlack   = 50 * time.Millisecond // what is lost where times are told in ticks
)

// begin notes a call that may run from now on.
func (c *calls) begin(key string, does doing, now time.Time) {
	if c.First == 0 {
		return
	}
	for i := range c.Open { // whose a file is that is made while both run, nobody knows
		switch o := &c.Open[i]; {
		case o.Does == doesBuild && does == doesMore:
			o.Does = doesMore
		case o.Does == doesMore && does == doesBuild:
			does = doesMore
		}
	}
	c.Open = append(c.Open, openCall{key, now.UnixMilli(), does})
	c.Open = c.Open[max(0, len(c.Open)-maxOpenCalls):]
}

// settle forgets the calls of which nobody told before the user spoke again: they did not run.
func (c *calls) settle() { c.Open = nil }

// end notes that a call has run, or that it did not.
func (c *calls) end(key string, ran bool, now time.Time) {
	i := slices.IndexFunc(c.Open, func(o openCall) bool { return o.Key == key })
	if i < 0 {
		return
	}
	from, to, builds := c.Open[i].At, now.UnixMilli(), c.Open[i].Does == doesBuild
	c.Open = slices.Delete(c.Open, i, i+1)
	if !ran || to < from || to-from > maxCallTime.Milliseconds() {
		return
	}
	c.Done = withTime(c.Done, from, to)
	if builds && to-from <= maxBuildTime.Milliseconds() {
		c.Built = append(c.Built, [2]int64{from, to})
		c.Built = c.Built[max(0, len(c.Built)-maxDoneCalls):]
	}
}

// withTime adds a time to others, as one with those that it touches.
func withTime(list [][2]int64, from, to int64) [][2]int64 {
	list = slices.DeleteFunc(list, func(d [2]int64) bool {
		touches := d[0] <= to && from <= d[1]
		if touches {
			from, to = min(from, d[0]), max(to, d[1])
		}
		return touches
	})
	list = append(list, [2]int64{from, to})
	slices.SortFunc(list, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	return list[max(0, len(list)-maxDoneCalls):]
}

// ran says whether a call of the session ran at some time. Those that still run don't count:
// nobody knows whether they do.
func (c *calls) ran(at int64) bool {
	return c.First > 0 && at >= c.First && slices.ContainsFunc(c.Done, func(d [2]int64) bool { return within(d, at) })
}

// built is the time of the call that built or tested at some time.
func (c *calls) built(at int64) (window [2]int64, ok bool) {
	i := slices.IndexFunc(c.Built, func(d [2]int64) bool { return within(d, at) })
	if i < 0 || at < c.First {
		return window, false
	}
	return c.Built[i], true
}

func within(d [2]int64, at int64) bool { return d[0] <= at && at <= d[1]+clockSlack.Milliseconds() }

func (c *calls) empty() bool { return c.First == 0 }
