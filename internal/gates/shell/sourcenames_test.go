package shell

import (
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestScripts: a script that only computes is read; one that may reach anything is not.
func TestScripts(t *testing.T) {
	places := effect.Places{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}}.Normal()
	for _, c := range []struct {
		name, program, file, word, text string
		want                            bool
	}{
		{"R computes", "Rscript", "x.R", "", "# a test\nx <- c(1, 2, 3)\nprint(mean(x)) # \"\n", true},
		{"R with a function", "Rscript", "x.R", "", "square <- function(n, k = 2) {\n  n * n + k\n}\nprint(square(3))\n", true},
		{"R makes a name its own where it may not come to be", "Rscript", "x.R", "", "if (FALSE)\nsystem <- function(n) n\nsystem(\"id\")\n", false},
		{"R makes a name its own in a function alone", "Rscript", "x.R", "", "f <- function(n) {\nsystem <- function(n) n\n}\nsystem(\"id\")\n", false},
		{"R calls before it makes", "Rscript", "x.R", "", "system(\"id\")\nsystem <- function(n) n\n", false},
		{"R has a raw text", "Rscript", "x.R", "", "r <- 1\nr\"(\")\" ; system(\"id\") ; r\"(\")\"\n", false},
		{"R sends", "Rscript", "x.R", "", "library(httr)\nPOST(\"https://h.example\", body = upload_file(\"a\"))\n", false},
		{"Julia computes", "julia", "x.jl", "", "using Statistics\nf(n) = n * 2\nfunction g(a, b)\n    return a + b\nend\nprintln(mean([f(1), g(2, 3)]))\n", true},
		{"Julia makes its own run", "julia", "x.jl", "", "function g()\n    run(n) = n\nend\nrun(open(\"id\"))\n", false},
		{"Julia has a text of lines", "julia", "x.jl", "", "x = \"\"\" \" \"\"\"; f(homedir()); y = \"\"\" \" \"\"\"\n", false},
		{"Julia deletes", "julia", "x.jl", "", "rm(homedir(); recursive=true)\n", false},
		{"Elixir computes", "elixir", "x.exs", "", "IO.puts(Enum.sum(1..10))\n", true},
		{"Elixir evaluates", "elixir", "x.exs", "", "Code.eval_string(\"1\")\n", false},
		{"Haskell computes", "runghc", "x.hs", "", "import Data.List\nmain :: IO ()\nmain = print (sort [3,1,2])\n", true},
		{"Haskell starts a program", "runghc", "x.hs", "", "import System.Process\nmain = callCommand \"id\"\n", false},
		{"Java computes", "java", "X.java", "", "import java.util.*;\n\n/** A \"test\". */\npublic class X {\n  record P(int a, String b) {}\n  static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n  public static void main(String[] args) {\n    List<Integer> xs = new ArrayList<>();\n    for (int i = 0; i < 10; i++) { xs.add(i * i); }\n    System.out.println(xs.stream().filter(x -> x % 2 == 0).toList() + \" \" + fact(5) + 'a');\n  }\n}\n", true},
		{"Java starts a program", "java", "X.java", "", "public class X { public static void main(String[] a) throws Exception { new ProcessBuilder(a).start(); } }\n", false},
		{"Java by its full name", "java", "X.java", "", "public class X { int java, lang; class Runtime {} void getRuntime() {} void exec(String a) {} static void f() { java.lang.Runtime.getRuntime().exec(\"id\"); } }\n", false},
		{"Java by a class of a value", "java", "X.java", "", "public class X { static void f() { String.class.forName(\"a\"); } }\n", false},
		{"Java with an escape", "java", "X.java", "", "public class X { String s = \"\\u0022 + y + \\u0022\"; }\n", false},
		{"Java reads files", "java", "X.java", "", "import java.nio.file.*;\npublic class X { public static void main(String[] a) throws Exception { Files.delete(Path.of(a[0])); } }\n", false},
		{"Kotlin computes", "kotlinc", "x.kts", "-script", "fun square(n: Int): Int = n * n\nval xs = listOf(1, 2, 3).map { it * 2 }\nfor (x in xs) println(\"$x ${square(x)}\")\n", true},
		{"Kotlin deletes", "kotlinc", "x.kts", "-script", "java.io.File(\"x\").deleteRecursively()\n", false},
		{"Kotlin takes a name for its own", "kotlinc", "x.kts", "-script", "fun f() { val java = 1 }\nval lang = 1\nclass A { fun a() {} }\njava.lang.A()\n", false},
		{"Kotlin in a text", "kotlinc", "x.kts", "-script", "println(\"${Runtime.getRuntime()}\")\n", false},
		{"Scala computes", "scala", "x.scala", "", "object X extends App { val xs = (1 to 10).map(x => x * 2); println(xs.sum) }\n", true},
		{"Scala hides between symbols", "scala", "x.scala", "", "object X extends App { val a = 'b; sys.process.stringToProcess(\"id\").!; val c = 'd }\n", false},
		{"Groovy computes", "groovy", "x.groovy", "", "def xs = [1, 2, 3].collect { it * 2 }\nprintln(xs.sum() / 2)\n", true},
		{"Groovy runs a text", "groovy", "x.groovy", "", "println(\"id\".execute())\n", false},
		{"Groovy by a computed name", "groovy", "x.groovy", "", "def m = \"exe\" + \"cute\"\nprintln(\"id\".\"$m\"())\n", false},
		{"Groovy hides between slashes", "groovy", "x.groovy", "", "def a = /\"/ ; \"id\".execute() ; def b = /\"/\n", false},
		{"Dart computes", "dart", "x.dart", "run", "import 'dart:math';\nint fact(int n) => n < 2 ? 1 : n * fact(n - 1);\nvoid main() { final xs = [1, 2].map((x) => x * 2).toList(); print('$xs ${fact(3)}'); }\n", true},
		{"Dart starts a program", "dart", "x.dart", "run", "import 'dart:io';\nvoid main() { Process.runSync('id', []); }\n", false},
		{"Nim computes", "nim", "x.nim", "r", "import std/strutils\nproc square(n: int): int = n * n\nfor i in 1..3:\n  echo square(i)\n", true},
		{"Nim folds names", "nim", "x.nim", "r", "proc read_file(n: string): string = n\necho readFile(\"a\")\n", false},
		{"Nim starts a program", "nim", "x.nim", "r", "import osproc\ndiscard execCmd(\"id\")\n", false},
		{"Zig computes", "zig", "x.zig", "run", "const std = @import(\"std\");\nfn add(a: i32, b: i32) i32 { return a + b; }\npub fn main() void { std.debug.print(\"{d}\\n\", .{add(1, 2)}); }\n", true},
		{"Zig takes names for its own", "zig", "x.zig", "run", "const std = @import(\"std\");\nconst fs = 1;\nfn cwd() void {}\nfn deleteTree() void {}\npub fn main() void { std.fs.cwd().deleteTree(\"x\"); }\n", false},
		{"Zig includes C", "zig", "x.zig", "run", "const c = @cImport(@cInclude(\"stdlib.h\"));\n", false},
		{"Swift computes", "swift", "x.swift", "", "func square(_ n: Int) -> Int { n * n }\nlet xs = [1, 2, 3].map { x in square(x) }\nprint(\"sum \\(xs)\")\n", true},
		{"Swift deletes", "swift", "x.swift", "", "import Foundation\ntry FileManager.default.removeItem(atPath: \"x\")\n", false},
		{"Crystal computes", "crystal", "x.cr", "run", "def square(n : Int32)\n  n * n\nend\nputs [1, 2].map { |x| square(x) }.sum\n", true},
		{"Crystal runs a literal", "crystal", "x.cr", "run", "puts %x(id)\n", false},
		{"Crystal runs a program", "crystal", "x.cr", "run", "system(\"id\")\n", false},
		{"OCaml computes", "ocaml", "x.ml", "", "let rec fact n = if n < 2 then 1 else n * fact (n - 1)\nlet () = print_int (fact 5); List.iter print_int [1; 2]\n", true},
		{"OCaml hides in a comment", "ocaml", "x.ml", "", "(* \" *) \" *) let () = ignore (Sys.command \"id\") (* \"\n*)", false},
		{"OCaml in a text of its own", "ocaml", "x.ml", "", "let a = {a|\"|a} let () = ignore (Sys.command b) let c = {a|\"|a}\n", false},
		{"OCaml starts a program", "ocaml", "x.ml", "", "let () = ignore (Sys.command \"id\")\n", false},
		{"C# computes", "dotnet", "x.cs", "run", "using System.Linq;\nint Square(int n) => n * n;\nConsole.WriteLine(new[] { 1, 2 }.Select(x => Square(x)).Sum());\n", true},
		{"C# deletes", "dotnet", "x.cs", "run", "System.IO.Directory.Delete(\"x\", true);\n", false},
		{"Tcl is not read", "tclsh", "x.tcl", "", "puts 1\n", false},
		{"names outside of ASCII", "java", "X.java", "", "public class X { int ä; }\n", false},
	} {
		words := []string{c.program, c.word, c.file}
		if !StartsScript(c.program, c.file, words) {
			t.Errorf("%s: no script", c.name)
		}
		effects, ok := ReadScript(c.program, c.file, words, c.text, &places)
		for _, e := range effects {
			ok = ok && (e.Kind != effect.Spawn || e.Op != effect.OpEscape) && e.Kind != effect.Opaque
		}
		if ok != c.want {
			t.Errorf("%s: read %v, want %v", c.name, ok, c.want)
		}
	}
}

// FuzzScripts: no text is too odd to be read or left.
func FuzzScripts(f *testing.F) {
	f.Add("X.java", "import java.util.*;\nclass X { String s = \"${a}\"; char c = '\\''; }")
	f.Add("x.R", "f <- function(a, b = 2) a\nprint(f(1))")
	f.Add("x.ml", "(* \" *) let x = {a|b|a}")
	places := effect.Places{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}}.Normal()
	f.Fuzz(func(t *testing.T, file, text string) {
		for _, s := range scriptStarters {
			ReadScript(s.program, file, []string{s.program, s.word, file}, text, &places)
		}
		for _, l := range sourceLanguages {
			namedSource(l.name, text)
		}
	})
}
