package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestFoundBy: the names that an expression prints, and those that an action is done with.
func TestFoundBy(t *testing.T) {
	for _, tt := range []struct{ expr, printed, action string }{
		{"-name *.o", "*.o", ""},
		{"-type f -name *.o -newer x", "*.o", ""},
		{"-name *.o -not -path ./.git/*", "*.o", ""},
		{"( -name bin -o -name obj ) -type d -prune -print0", "bin obj", ""},
		{"-name node_modules -prune -o -name *.js -print", "*.js", ""},
		{"-name *.pyc -delete", "any", "*.pyc"},
		{"-name a -exec rm {} ; -o -name b -print", "b", "a"},
		{"-name *.o -o -delete", "any", "any"},
		{"-not -name *.o", "any", ""},
		{"! ( -name *.o )", "any", ""},
		{"-name *.o -o -type f", "any", ""},
		{"-name *.o , -type f", "any", ""},
		{"-path -name -o -name *.o", "any", ""},
		{"( -name *.o", "any", ""},
		{"-name *.o )", "any", ""},
		{"-name", "any", ""},
		{"-name *.[ch]", "any", ""},
		{"-name .*", "any", ""},
		{"-iname *.o", "any", ""},
	} {
		printed, at := foundBy(strings.Fields(tt.expr))
		word := func(names []string) string {
			if names == nil {
				return "any"
			}
			return show(strings.Join(names, " "))
		}
		if got := word(printed); got != tt.printed && tt.printed != "any" || tt.printed == "any" && tt.action == "" && printed != nil {
			t.Errorf("%s prints %q, want %q", tt.expr, got, tt.printed)
		}
		for i, a := range strings.Fields(tt.expr) {
			if slices.Contains([]string{"-delete", "-exec"}, a) && word(at[i]) != tt.action {
				t.Errorf("%s: %s of %q, want %q", tt.expr, a, word(at[i]), tt.action)
			}
		}
	}
}
