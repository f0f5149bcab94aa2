package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

func TestGetopt(t *testing.T) {
	g := getopt{valued: "f", attached: "i", longs: "file= file-more= in-place? quiet"}
	for _, tt := range []struct{ line, opts, operands string }{
		{"-f x y", "f=x", "y"},
		{"-fx y", "f=x", "y"},
		{"-nfx y", "n= f=x", "y"},
		{"-nf x y", "n= f=x", "y"},
		{"-i x", "i=", "x"},
		{"-ni.bak x", "n= i=.bak", "x"},
		{"y -f x z", "f=x", "y z"},
		{"-- -f x", "", "-f x"},
		{"- x", "", "- x"},
		{"--file x y", "file=x", "y"},
		{"--file=x y", "file=x", "y"},
		{"--fi x y", "file=x", "y"},
		{"--file-m=x y", "file-more=x", "y"},
		{"--in x", "in-place=", "x"},
		{"--in=.bak x", "in-place=.bak", "x"},
		{"--other x", "--other=", "x"},
		{"--f x", "file=x", ""},
		{"--n x", "--n=", "x"},
		{"-f", "f=", ""},
		{"--file", "file=", ""},
		{"-n\x00 x", "n= =", "x"},
		{"--\x00=x y", "=", "y"},
	} {
		opts, operands := g.read(strings.Fields(strings.ReplaceAll(tt.line, "\x00", string(rune(mark.Unknown)))))
		var got []string
		for _, o := range opts {
			got = append(got, o.name+"="+o.value)
		}
		if strings.Join(got, " ") != tt.opts || strings.Join(operands, " ") != tt.operands {
			t.Errorf("%q: %q, %q; want %q, %q", tt.line, got, operands, tt.opts, tt.operands)
		}
	}
}

func TestGetoptFirst(t *testing.T) {
	g := getopt{valued: "n", first: true}
	opts, operands := g.read(strings.Fields("-n 1 rm -n x"))
	if len(opts) != 1 || !slices.Equal(operands, []string{"rm", "-n", "x"}) {
		t.Errorf("%v, %q", opts, operands)
	}
}

// TestOptionsInAnyForm: each of these is the same as a line that asks, written in
// another way that the program understands.
func TestOptionsInAnyForm(t *testing.T) {
	for _, tt := range []struct{ plain, other string }{
		{"sed -e '1e id' p", "sed --expr='1e id' p"},
		{"sed -f /tmp/s.sed p", "sed --fil /tmp/s.sed p"},
		{"gawk -f /tmp/x.awk d", "gawk --fil=/tmp/x.awk d"},
		{"gawk -E /tmp/x.awk", "gawk --exe /tmp/x.awk"},
		{"gawk -l ext d", "gawk --loa=ext d"},
		{`gawk 'BEGIN{system(x)}' f`, `gawk -i inplace 'BEGIN{system(x)}' f`},
		{"gawk -p/etc/x 1 f", "gawk --profile=/etc/x 1 f"},
		{"gawk -f /tmp/x.awk d", "gawk -W exec=/tmp/x.awk d"},
		{"make -f /tmp/x", "make --makef=/tmp/x"},
		{"make -C /etc", "make --direc /etc"},
		{"make -f /tmp/x", "make -kf/tmp/x"},
		{"xargs -a /etc/shadow echo", "xargs -a/etc/shadow echo"},
		{"xargs -a /etc/shadow echo", "xargs -0a/etc/shadow echo"},
		{"xargs -a /etc/shadow echo", "xargs --arg=/etc/shadow echo"},
		{"cp -t /etc x", "cp -ft/etc x"},
		{"cp -t /etc x", "cp --target-dir=/etc x"},
		{"ln -t /etc x", "ln --targ=/etc x"},
		{"chmod 644 /etc/passwd", "chmod --ref=x /etc/passwd"},
		{"env -C /etc touch x", "env -iC/etc touch x"},
		{"env -C /etc touch x", "env --chd=/etc touch x"},
		{"fd -x rm -rf /etc", "fd -Hx rm -rf /etc"},
		{"fd -x rm -rf /etc", "fd . -0Xrm -rf /etc"},
		{"fd x /etc -x touch", "fd -C/etc -x touch"},
		{"fd x /etc -x touch", "fd --search-path=/etc -x touch"},
		{"git config -f /etc/x user.name y", "git config -f/etc/x user.name y"},
		{"git config --file /etc/x user.name y", "git config --fil=/etc/x user.name y"},
		{"git config --global user.name y", "git config --glob user.name y"},
		{"journalctl --rotate", "journalctl --rot"},
		{"journalctl -D /x", "journalctl -qD/x"},
		{"journalctl --cursor-file=/etc/x -n 1", "journalctl --cursor-f /etc/x -n 1"},
		{"mktemp -p /etc", "mktemp -dp/etc"},
		{"mktemp -p /etc", "mktemp --tmpd=/etc"},
		{"parallel -a /etc/shadow echo", "parallel -ka/etc/shadow echo"},
		{"parallel -a /etc/shadow echo", "parallel --arg=/etc/shadow echo"},
		{"parallel -a /etc/shadow echo", "parallel echo :::: /etc/shadow"},
		{"parallel --joblog /etc/x echo ::: a", "parallel --joblog=/etc/x echo ::: a"},
		{"parallel -S h echo ::: a", "parallel -Sh echo ::: a"},
		{"parallel --workdir /etc touch ::: a", "parallel --wd=/etc touch ::: a"},
	} {
		plain, other := risks(tt.plain), risks(tt.other)
		if len(plain) == 0 || len(other) == 0 {
			t.Errorf("%s: %q\n%s: %q", tt.plain, plain, tt.other, other)
		}
	}
}

// risks are the effects of a line that no workspace takes unasked: code from
// elsewhere, and what lies outside.
func risks(line string) (out []string) {
	places := effect.Places{Cwd: "/w", Roots: []string{"/w"}}.Normal()
	for _, e := range Analyze(line, &places) {
		outside := e.Zone == effect.ZoneSystem || e.Zone == effect.ZoneOutside || e.Zone == effect.ZoneHome
		if e.Op == effect.OpEscape || e.Op == effect.OpRunUnknown || outside && e.Kind != effect.Spawn {
			out = append(out, e.Resource)
		}
	}
	return out
}
