package tasks

import (
	"errors"
	"fmt"
	"slices"
)

// State is where a task stands (requirement Z4). The zero value is none.
type State string

// The states.
const (
	Queued    State = "queued"    // nobody runs it yet
	Running   State = "running"   // its owner runs it
	Paused    State = "paused"    // it was interrupted or waits for somebody, and can be resumed
	Succeeded State = "succeeded" // its end
	Failed    State = "failed"    // its end
	Cancelled State = "cancelled" // its end
	Zombie    State = "zombie"    // its owner is gone; it can be resumed
)

// next are the only ways from a state to another. A zombie is claimed by way of
// running, so that everybody sees in its receipts that it was one (004 §IV-B). What
// has ended stays so.
var next = map[State][]State{
	Queued:    {Running, Cancelled},
	Running:   {Paused, Succeeded, Failed, Cancelled, Zombie},
	Paused:    {Running, Cancelled},
	Zombie:    {Running, Cancelled},
	Succeeded: {},
	Failed:    {},
	Cancelled: {},
}

// States are all of them.
func States() []State {
	return []State{Queued, Running, Paused, Succeeded, Failed, Cancelled, Zombie}
}

// May says whether a task goes from one state to the other.
func May(from, to State) bool { return slices.Contains(next[from], to) }

// Ended says whether a task is over for good.
func (s State) Ended() bool { return len(next[s]) == 0 }

// Resumable says whether a task waits for somebody to run it.
func (s State) Resumable() bool { return May(s, Running) }

var (
	// ErrTransition says that a task does not go from its state to the one asked for.
	ErrTransition = errors.New("not a way from its state")
	// ErrChanged says that somebody else changed the task meanwhile.
	ErrChanged = errors.New("the task was changed meanwhile")
	// ErrNotFound says that there is no task of an id.
	ErrNotFound = errors.New("no such session")
	// ErrExists says that there is one already.
	ErrExists = errors.New("the session exists")
	// ErrOwned says that a live process runs the task.
	ErrOwned = errors.New("a live process runs it")
	// ErrUnsettled says that nobody knows whether a call ran.
	ErrUnsettled = errors.New("a call's outcome is not known")
	// ErrTampered says that what is stored is not what was written.
	ErrTampered = errors.New("it was changed by something else than gbt")
	// ErrKey says that the key beside the database is not the one it was made with.
	ErrKey = errors.New("the key is missing or another one")
)

func wrongWay(id string, from, to State) error {
	return fmt.Errorf("session %s is %s and cannot become %s: %w", id, from, to, ErrTransition)
}
