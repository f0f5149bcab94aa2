package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestStartedScripts: a script of the session's in a language of which no dialect is read asks
// where it is started, unless it only computes; a project's own does not.
func TestStartedScripts(t *testing.T) {
	const deletes = "rm(homedir(); recursive = true)\n"
	for _, row := range []struct {
		name, line string
		asks       bool
		files      [][2]string // in the order in which they are written
		disk       map[string]string
	}{
		{"what deletes", "julia a.jl", true, [][2]string{{"a.jl", deletes}}, nil},
		{"what computes", "julia a.jl", false, [][2]string{{"a.jl", "println(sum(1:10))\n"}}, nil},
		{"what is checked in", "julia a.jl", false, [][2]string{{"b.txt", "x"}}, map[string]string{"a.jl": deletes}},
		{"another that is checked in", "julia a.jl", false, [][2]string{{"b.jl", deletes}}, map[string]string{"a.jl": "println(1)\n"}},
		{"what is not read by anything", "tclsh a.tcl", true, [][2]string{{"a.tcl", "file delete -force $env(HOME)\n"}}, nil},
		{"what nothing reads and is checked in", "tclsh a.tcl", false, nil, map[string]string{"a.tcl": "file delete -force $env(HOME)\n"}},
		{"what it runs in turn", "Rscript a.R", true, [][2]string{{"b.R", "unlink('x', recursive = TRUE)\n"}, {"a.R", "source('b.R')\n"}}, nil},
		{"what it runs in turn and is checked in", "Rscript a.R", false, [][2]string{{"a.R", "source('b.R')\n"}}, map[string]string{"b.R": "unlink('x', recursive = TRUE)\n"}},
		{"what reads outside", "Rscript a.R", true, [][2]string{{"a.R", "print(readLines('~/.aws/credentials'))\n"}}, nil},
		{"what reads here", "Rscript a.R", false, [][2]string{{"a.R", "d <- read.csv('d.csv')\nprint(summary(d))\n"}}, nil},
		{"what a sign of comments in a text hides, R", "Rscript a.R", true, [][2]string{{"a.R", "cat(\"a#\"); system(\"rm -rf src\")\ny <- '\")#'\n"}}, nil},
		{"what a sign of comments in a text hides, Julia", "julia a.jl", true, [][2]string{{"a.jl", "println(\"a#\"); run(`rm -rf src`)\ny = \"\n)#\"\n"}}, nil},
		{"what a sign of comments in a text hides, Elixir", "elixir a.exs", true, [][2]string{{"a.exs", "IO.puts(\"a#\"); System.cmd(\"rm\", [\"-rf\", \"src\"])\ny = \"\n)#\"\n"}}, nil},
		{"a class that starts a program", "java A.java", true, [][2]string{{"A.java", "class A { static void main(String[] a) throws Exception { new ProcessBuilder(a).start(); } }\n"}}, nil},
		{"a class that nothing reads", "java A.java", true, [][2]string{{"A.java", "class A { static int f(int n) { return n + 1; } public static void main(String[] a) { System.out.println(f(2)); } }\n"}}, nil},
		{"tests of a project", "mix test test/a_test.exs", false, [][2]string{{"test/a_test.exs", "defmodule ATest do\n  use ExUnit.Case\n  test \"a\", do: assert A.f(1) == 2\nend\n"}}, nil},
		{"a script of another name", "cp a.txt b.jl && julia b.jl", true, [][2]string{{"a.txt", deletes}}, nil},
	} {
		p := inProject(t, row.disk)
		for _, f := range row.files {
			p.write(f[0], f[1])
		}
		if d := p.call("Bash", map[string]string{"command": row.line}); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s: %v %v", row.name, d.Disposition, d.Reasons)
		}
	}
}
