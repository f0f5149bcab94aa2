package call

import "github.com/gbt-policy/gbt/gates/effect"

// Action is what one call does, in the few words that macros are made of: "view",
// "edit", "read:email", "send:message".
//
// It is coarser than a tool and finer than a tool family. Two tools that do the
// same thing to the same kind of object have the same action, whichever agent
// they belong to: reading a file with cat, with an editor's view command or with
// a Read tool is "view". It is derived from the call's structured fields alone,
// never from words (requirement X1), and is the discrete part of a macro's
// signature (requirement T3).
//
// Why this grain: measured by 5-fold cross-validation by task on the shared
// corpora (see package internal/tree/merge), exact tool names leave 8 to 19 of
// 100 steps of unseen tasks without any match, and tool families match
// everything by saying nothing.
type Action struct {
	Key   string // the action's name, lower case: verb, or verb:object
	Delta effect.Delta
}

// ReadOnly reports whether the action leaves the environment as it was.
func (a Action) ReadOnly() bool { return a.Delta == effect.DeltaNone }
