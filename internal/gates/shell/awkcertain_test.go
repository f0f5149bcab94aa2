package shell

import "testing"

func TestAwkWordsAreCertainWhereEveryAwkCutsThemAlike(t *testing.T) {
	for _, tt := range []struct {
		program string
		want    bool
	}{
		{`/system\(/{print FILENAME":"FNR": "$0}`, true},
		{`{ x = $1 / 2; y = a[1] / NF } # half`, true},
		{`$0 ~ /[[:alpha:]_]+\(/ && !/^#/ { n++ } END { print n / NR, (n) / 2 }`, true},
		{`/[]"]/ { print }`, true},
		{"/a/ {\n\tprint \"b\" \\\n\t\t$2\n}", true},
		{`/[/]"/ { system("x") } /"/`, false},      // where a slash in brackets ends the pattern
		{`/[\/]"/ { system("x") } /"/`, false},     // and a quoted one
		{`{ exit /"/ 2 } { system("x") }`, false},  // what is behind exit
		{`{ x = length / 2 } # "`, false},          // length without parentheses
		{`{ if (x) /"/ } { system("x") }`, false},  // behind a condition
		{`{ print "a } { system("x") }`, false},    // no end
		{`/a { system("x") }`, false},              // no end
		{`{ f = "system"; @f("x") }`, false},       // a call by its name
		{"# a \\\n{ system(\"x\") }", false},       // a comment that may go on
		{"{ print 'a' }", false},                   // no word of awk
		{"{ print \"a\nb\" }", false},              // a string over two lines
		{"{ print ) / 2 }", false},                 // what nothing opens
		{"{ x = 1\r/2; system(\"x\") }", false},    // white space of some awks
		{`/[[:alpha/:]]"/ { system("x") }`, false}, // a slash in a class's name
	} {
		if got := awkCertain(tt.program); got != tt.want {
			t.Errorf("%s: %v", tt.program, got)
		}
	}
}
