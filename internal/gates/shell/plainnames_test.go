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
		{"scheme", `1`, false},
	} {
		if got := namedCode(tt.lang, tt.code); got != tt.ok {
			t.Errorf("%s: %s: %v", tt.lang, tt.code, got)
		}
	}
}
