package main

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestChangesOf: what a command line changes is only said to be known where it is.
func TestChangesOf(t *testing.T) {
	const all = "all"
	for command, want := range map[string]string{
		// They read.
		"ls -la": "[]", "grep -rn foo . | head -5": "[]", "sed -n 1,5p a": "[]", "find . -name x": "[]", "cat a | sort | uniq -c": "[]", "test -f a && cat a": "[]", "echo hi": "[]",
		"cd d && cat x": "[]", "X=1 ls": "[]", "sort a; wc -l b": "[]",
		// They name what they change.
		"echo x > b": "[/w/b]", "cat a | sort > b": "[/w/b]", "cat > f <<EOF\nx\nEOF": "[/w/f]", "mkdir -p d/e && touch d/e/f": "[/w/d/e /w/d/e/f]", "cat a | tee b": "[/w/b]",
		"chmod +x a": "[/w/a]", "exec 3>file": "[/w/file]", "f() { touch x; }; f": "[/w/x]", "cat <(touch x)": "[/w/x]", "cd d && echo x > y": "[/w/d/y]", "alias ls=rm; ls a": "[/w/a]",
		// There may be others.
		"git status": all, "go vet ./...": all, "python3 x.py": all, "./ls": all, "make": all, "eval \"$X\"": all, "echo x > \"$F\"": all, "echo x > $D/f": all, "rm *.o": all,
		"find . -exec touch {} +": all, "find . -name x -delete": all, "sed -n 'w out' a": all, "sed -i.bak s/a/b/ a": all, "awk '{print > \"o\"}' a": all, "split a": all, "cp -b a b": all,
		"mv a b": all, "rm -rf d": all, "ls > /tmp/x": all, "xargs touch < a": all, "sh -c 'ls'": all, "source x.sh": all, "uniq a b": all, "sort -o a a": all,
		"rg --pre x foo": all, "sort --compress-program=x a": all, "echo a | sed e": all, "date -s now": all, "ls; curl https://example.org": all, "sudo ls": all, "timeout 5 make": all,
	} {
		args, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		ctx := (&gates.Checker{}).Context(gates.Request{Tool: "Bash", Args: args}, gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/h", UID: -1, GID: -1})
		got := all
		if names, known := changesOf(&ctx); known {
			got = fmt.Sprint(names)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}
