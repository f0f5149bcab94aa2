package shell

import "testing"

// TestNamedCode tells which inline code is made of known names alone.
func TestNamedCode(t *testing.T) {
	for _, tt := range []struct {
		lang, code string
		ok         bool
	}{
		{"clojure", `(println (+ 1 2))`, true},
		{"clojure", `(println (clojure-version))`, true},
		{"clojure", `(prn (map inc [1 2 3]) {:a 1.5})`, true},
		{"clojure", `(println (clojure.string/upper-case "a"))`, true},
		{"clojure", `(slurp "/etc/passwd")`, false},
		{"clojure", `(clojure.java.shell/sh "id")`, false},
		{"clojure", `(.exec (Runtime/getRuntime) "id")`, false},
		{"clojure", `#=(eval (+ 1 2))`, false},
		{"clojure", `(eval '(+ 1 2))`, false},
		{"clojure", `(println @x)`, false},
		{"clojure", `(require 'shop.core)`, false},
		{"clojure", `(System/exit 0)`, false},
		{"erlang", `io:format("~p~n",[erlang:system_info(otp_release)]), halt().`, true},
		{"erlang", `X = lists:sum([1,2]), io:format("~p", [X]).`, true},
		{"erlang", `os:cmd("id").`, false},
		{"erlang", `file:delete("a").`, false},
		{"erlang", `F = fun os:cmd/1, F("id").`, false},
		{"erlang", `M = os, M:cmd("id").`, false},
		{"erlang", `apply(os, cmd, ["id"]).`, false},
		{"erlang", `'os':cmd("id").`, false},
		{"haskell", `print (sum [1..10])`, true},
		{"haskell", `putStrLn (unwords ["a", "b"])`, true},
		{"haskell", `print $ Data.List.sort [3,1]`, true},
		{"haskell", `readFile "/etc/passwd" >>= putStr`, false},
		{"haskell", `System.Process.system "id"`, false},
		{"haskell", `:! id`, false},
		{"haskell", `main`, false},
		{"haskell", `print $(undefined)`, false},
		{"scheme", `(display (+ 1 2))`, true},
		{"scheme", `(for-each displayln (map abs (list 1 -2)))`, true},
		{"scheme", `(system "id")`, false},
		{"scheme", `(delete-file "a")`, false},
		{"scheme", `(eval '(system "id"))`, false},
		{"scheme", `(load "x.scm")`, false},
		{"scheme", `(call-with-output-file "a" write)`, false},
		{"lisp", `(progn (print (+ 1 2)) (quit))`, true},
		{"lisp", `(message "%s" emacs-version)`, true},
		{"lisp", `(sb-ext:run-program "id" nil)`, false},
		{"lisp", `(shell-command "id")`, false},
		{"lisp", `(print #.(quit))`, false},
		{"lisp", `(princ "~/sb-ext:quit/")`, false},
		{"lisp", `(delete-file "a")`, false},
		{"octave", `disp(inv([1 2;3 4]))`, true},
		{"octave", `printf("%d", sum(ones(3)))`, true},
		{"octave", `system("id")`, false},
		{"octave", `delete a`, false},
		{"octave", `!id`, false},
		{"octave", `eval("id")`, false},
		{"octave", `feval("system", "id")`, false},
		{"octave", `arrayfun(@system, 1)`, false},
		{"jvm", `println(List(1,2).sum)`, true},
		{"jvm", `println([1,2,3].sum())`, true},
		{"jvm", `println(listOf(1,2).map { it * 2 }.joinToString(","))`, true},
		{"jvm", `println("id".execute().text)`, false},
		{"jvm", `println("${"id".execute()}")`, false},
		{"jvm", `import sys.process._; "id".!`, false},
		{"jvm", `java.io.File("a").delete()`, false},
		{"jvm", `Runtime.getRuntime().exec("id")`, false},
	} {
		if got := namedCode(tt.lang, tt.code); got != tt.ok {
			t.Errorf("%s: %s: %v", tt.lang, tt.code, got)
		}
	}
}
