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
}

type openCall struct {
	Key string
	At  int64
}

// Bounds of what is kept of them, and of how long one call may have run: one that its user
// was asked about for longer than that says little of when it ran.
const (
	maxOpenCalls = 16
	maxDoneCalls = 64
	maxCallTime  = 20 * time.Minute
	clockSlack   = 50 * time.Millisecond // what is lost where times are told in ticks
)

// begin notes a call that may run from now on.
func (c *calls) begin(key string, now time.Time) {
	if c.First == 0 {
		return
	}
	c.Open = append(c.Open, openCall{key, now.UnixMilli()})
	c.Open = c.Open[max(0, len(c.Open)-maxOpenCalls):]
}

// end notes that a call has run, or that it did not.
func (c *calls) end(key string, ran bool, now time.Time) {
	i := slices.IndexFunc(c.Open, func(o openCall) bool { return o.Key == key })
	if i < 0 {
		return
	}
	from, to := c.Open[i].At, now.UnixMilli()
	c.Open = slices.Delete(c.Open, i, i+1)
	if !ran || to < from || to-from > maxCallTime.Milliseconds() {
		return
	}
	c.Done = slices.DeleteFunc(c.Done, func(d [2]int64) bool {
		touches := d[0] <= to && from <= d[1]
		if touches {
			from, to = min(from, d[0]), max(to, d[1])
		}
		return touches
	})
	c.Done = append(c.Done, [2]int64{from, to})
	slices.SortFunc(c.Done, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	c.Done = c.Done[max(0, len(c.Done)-maxDoneCalls):]
}

// ran says whether a call of the session ran at some time. Those that still run don't count:
// nobody knows whether they do.
func (c *calls) ran(at int64) bool {
	return c.First > 0 && at >= c.First && slices.ContainsFunc(c.Done, func(d [2]int64) bool { return d[0] <= at && at <= d[1]+clockSlack.Milliseconds() })
}

func (c *calls) empty() bool { return c.First == 0 }
