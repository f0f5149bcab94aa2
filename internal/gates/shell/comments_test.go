package shell

import "testing"

func TestStripComments(t *testing.T) {
	tests := []struct{ src, want string }{
		{"ls", "ls"},
		{"ls # all of it", "ls"},
		{"# first\nls   # second\npwd", "\nls\npwd"},
		{"echo '# no' \"# no\" a#b $# ${#x}", "echo '# no' \"# no\" a#b $# ${#x}"},
		{"cat <<E\n# data\nE\nls # c", "cat <<E\n# data\nE\nls"},
		{"a=$(ls # inner\n) # outer", "a=$(ls\n)"},
		{"for i in a; do # loop\nls\ndone", "for i in a; do\nls\ndone"},
		{"#!/bin/sh\nls", "#!/bin/sh\nls"},
		{"echo 'open # x", "echo 'open # x"},
	}
	for _, tt := range tests {
		if got := StripComments(tt.src); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.src, got, tt.want)
		}
		if again := StripComments(StripComments(tt.src)); again != StripComments(tt.src) {
			t.Errorf("%q: stripped again: %q", tt.src, again)
		}
	}
}

func FuzzStripComments(f *testing.F) {
	f.Add("ls # a\n# b\ncat <<E\n#\nE")
	f.Add("`ls # a`")
	f.Add("`#\\$\\$\\$#00`")
	f.Add("#\\\n")
	f.Fuzz(func(t *testing.T, src string) {
		once := StripComments(src)
		if len(once) > len(src) || StripComments(once) != once {
			t.Fatalf("%q: %q, then %q", src, once, StripComments(once))
		}
	})
}
