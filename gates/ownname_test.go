package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestScriptNamesItself: a script that finds its project by its own name works in it.
func TestScriptNamesItself(t *testing.T) {
	for text, pass := range map[string]bool{
		"#!/bin/bash\nset -e\ncd \"$(dirname \"$0\")/..\"\ncp -r dist build/\n":                           true,
		"#!/bin/bash\nD=\"$(cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\" && pwd)\"\ncp \"$D/a\" \"$D/b\"\n": true,
		"#!/bin/bash\nawk '{ print $0 }' a.txt\n":                                                         true,
		"#!/bin/bash\ncd \"$(dirname \"$0\")/../..\"\ncp -r dist build/\n":                                false,
		"#!/bin/bash\nrm -rf \"$(dirname \"$0\")/../../q\"\n":                                             false,
		"#!/bin/bash\n\\$0 x; cp \"$1\" /srv/q\n":                                                         false,
	} {
		d := runsAfterWriting(t, "/home/u/p/scripts/a.sh", text, "bash scripts/a.sh")
		if (d.Disposition == gates.Approved) != pass {
			t.Errorf("%q: %v %v", text, d.Disposition, d.Reasons)
		}
	}
}
