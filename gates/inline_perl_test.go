package gates

import "testing"

var perlFamily = family{
	lang: "perl",
	sinks: []sink{
		{"CORE", "system", `"touch x"`}, {"CORE", "exec", `"id"`}, {"CORE", "unlink", `"a"`}, {"CORE", "rename", `"a", "b"`}, {"CORE", "mkdir", `"a"`}, {"CORE", "kill", "9, 1"}, {"CORE", "fork", ""}, {"CORE", "eval", `"1"`}, {"CORE", "do", `"x.pl"`}, {"CORE", "require", `"x.pl"`}, {"CORE", "open", `F, "id|"`},
		{"CORE", "chdir", `"/"`}, {"CORE", "glob", `"/etc/*"`}, {"CORE", "symlink", `"a", "b"`}, {"CORE", "socket", "1, 2"}, {"CORE", "syscall", "1"}, {"CORE", "dbmopen", "1"}, {"CORE", "readpipe", `"id"`}, {"CORE", "umask", "0"}, {"CORE", "setpgrp", "0"}, {"CORE", "getpwuid", "0"}, {"CORE", "gethostbyname", `"h.example"`},
		{"CORE", "tie", "$x, 1"}, {"CORE", "bless", "[]"}, {"CORE", "lock", "$x"}, {"CORE", "shmget", "1"},
	},
	ways: []string{
		`«F»(«A»);`, `«F» «A»;`, `CORE::«F»(«A»);`, `&«F»(«A»);`, `&{"«F»"}(«A»);`, `&{"«1»" . "«2»"}(«A»);`, `&$f(«A»); «F»(1);`, `my $f = \&«F»; $f->(«A»);`, `my $f = "«F»"; $f->(«A»);`, `my $f = "«1»" . "«2»"; &$f(«A»);`, `"main"->can("«F»")->(1);`, `main->«F»(«A»);`, `my $m = "«F»"; main->$m(«A»);`,
		`*x = \&«F»; x(«A»);`, `*{"main::x"} = \&«F»; x(1);`, `*x = *«F»; x(1);`, `$main::{"«F»"}->(1); «F»(2);`, `$::{«F»}; «F»(1);`, `print "@{[«F»(1)]}";`, `print "${\(«F»(1))}";`, `print "$x[«F»(1)]";`, `print "$x{+«F»(1)}";`, `print "@{[map { «F»(1) } 1]}";`, `s/x/«F»(1)/e;`, `s/x/"«F»(1)"/ee;`, `s{x}{«F»(1)}e;`, `s(x) {«F»(1)}gex;`,
		`/(?{ «F»(1) })/;`, `/(??{ «F»(1) })/;`, `"x" =~ m{(?{«F»(1)})};`, `qr/(?{«F»(1)})/;`, `my $r = "(?{«F»(1)})"; use re "eval"; /$r/;`, `eval "«F»(1)";`, `eval { «F»(1) };`, `do { «F»(1) };`, "`id`; «F»(1);", `qx(id); «F»(1);`, `qx{«F»}; «F»(1)`, `print qx/id/ . «F»(1);`, `sub f { «F»(1) } f();`, `my $s = sub { «F»(1) }; $s->();`, `sub { «F»(1) }->();`,
		`BEGIN { «F»(«A») }`, `END { «F»(«A») }`, `sort { «F»(1) } 1, 2;`, `map { «F»(1) } 1;`, `grep «F»(1), 1;`, `map «F»($_), 1;`, `for (1) { «F»(1) }`, `«F»(1) for 1;`, `«F»(1) if 1;`, `1 and «F»(1);`, `print 1 ? «F»(1) : 0;`, `print "a" =~ /"/, «F»(1), "";`, `print 1 / 2; «F»(1); # /`, `$x = $y / 2; «F»(«A»); $z = 1 / 3;`, `split /"/; «F»(«A»); #"`, `y/"//; «F»(«A»); #"`,
		`$h{y} = 1; «F»(1); $h{s} = 2;`, `print q("), «F»(1), q(");`, `print q{'}; «F»(«A»); print q{'};`, `print <<E;` + "\n\"\nE\n«F»(«A»); #\"", `print <<"E";` + "\n@{[«F»(1)]}\nE\n", "=pod\n\n\"\n\n=cut\n\n«F»(«A»); #\"", `$SIG{__WARN__} = "«F»"; warn "x";`, `$SIG{ALRM} = sub { «F»(1) };`, `local $SIG{__DIE__} = \&«F»; die;`,
		`@ARGV = ("id|"); print <>; «F»(1);`, `push @INC, "x"; «F»(1);`, `use POSIX; POSIX::«F»(«A»);`, `require POSIX; POSIX->import; «F»(1);`, `use «F»;`, `no strict; &{"CORE::«F»"}(1);`, `package x; sub AUTOLOAD { «F»(1) } x->y;`, `print {«F»(1)} 1;`, `-e «F»(1);`, `print -s «F»(1);`, `__PACKAGE__->can("«F»")->(1);`, `goto &«F»;`, `<*>; «F»(1);`, `print <$x*>; «F»(1);`,
	},
}

// perlFiles change the list of files that <> and -n read, and a name in it with a bar
// is a command.
var perlFiles = []string{
	`BEGIN { @ARGV = sprintf "id%c", 124 } print <>`, `push @ARGV, "id" . sprintf("%c", 124); print <>`, `$ARGV[0] = sprintf "id%c", 124; print <>`, `$ARGV[0] .= sprintf "%c", 124; print <>`, `s/$/sprintf "%c", 124/e for @ARGV; print <>`, `unshift @ARGV, $x; print <>`, `my ($r) = \@ARGV; push @$r, $x; print <>`,
	`splice @ARGV, 0, 1, $x; print <>`, `for (@ARGV) { s/x/y/ } print <>`, `tr/a/b/ foreach @ARGV; print <>`,
}

func TestInlinePerlReachesNothing(t *testing.T) {
	testFamily(t, &perlFamily)
	for _, code := range perlFiles {
		if d := decideCode("perl", code); d.Disposition == Approved {
			t.Errorf("approved: %s", code)
		}
	}
}

var harmlessPerl = []string{
	`print 1 + 1, "\n"`, `print "hello\n"`, `print join(",", map { $_ * 2 } 1..5), "\n"`, `print scalar(localtime), "\n"`, `print "$]\n"`, `print "$^V\n"`, `print 2**10`, `printf "%.2f\n", 3.14159`, `my %h = (a => 1); print "$_=$h{$_}\n" for sort keys %h`, `my @a = (3, 1, 2); print "@{[sort @a]}\n"`, `my $s = "abc"; $s =~ s/b/x/; print $s`,
	`print uc("abc")`, `print reverse("abc") . "\n"`, `for my $i (1..3) { print $i, "\n" }`, `my $x = 5; print $x > 3 ? "yes" : "no"`, `sub f { my ($x) = @_; return $x * 2 } print f(3)`, `print "ok\n" if "abc" =~ /^a/`, `my @w = split /,/, "a,b"; print $w[1]`, `my $h = {a => [1, 2]}; print $h->{a}[1]`, `print length "abc"`, `print substr("hello", 1, 3)`, `my ($a, $b) = (6, 4); print $a / $b, "\n"`,
	`while (<STDIN>) { chomp; print "$_\n" }`, `my $n = 0; while (<>) { $n++ if /x/ } print $n`, `print sprintf("%03d", 7)`, `print "a" x 3`, `print join "", grep { $_ % 2 } 1..9`, `my $c = () = "banana" =~ /a/g; print $c`, `print "exists\n" if -e "a.txt"`, `my @l = map { [$_, length] } qw(a bb); print $l[1][1]`, `print time`, `my $t = 0; $t += $_ for 1..10; print $t`, `die "x" unless 1`, `print "$ARGV[0]\n"`, `my $s = "x-y"; print((split /-/, $s)[0])`, `print lc "ABC", "\n"; exit 0`,
	`my %c; $c{$_}++ for qw(a b a); print map { "$_ $c{$_}\n" } sort keys %c`, `print "a\tb" =~ tr/a-z//`, `my $str = "k=v"; my ($k, $v) = $str =~ /(\w+)=(\w+)/; print $v`,
}

func TestHarmlessInlinePerl(t *testing.T) {
	testHarmless(t, "perl", harmlessPerl)
	var g Guardrail
	for _, command := range []string{
		`perl -pe 's/a/b/' f`, `perl -ne 'print if /x/' f`, `perl -lane 'print $F[1]' f`, `perl -i -pe 's{/usr/local}{/opt}g' f`, `perl -0777 -ne 'print $1 if /<t>(.*?)<\/t>/s' f`, `perl -F, -lane 'print $F[0] if $F[1] > 3' f`, `perl -pe 's/(\d+)/$1+1/e' f`, `perl -ne 'print "$.: $_"' f`,
		`perl -MList::Util=sum -e 'print sum(1..10)'`, `perl -MData::Dumper -e 'print Dumper({a => 1})'`, `perl -MJSON::PP -ne 'print encode_json([$_])' f`, `perl -nle '$s += $_; END { print $s }' f`, `perl -pe 'chomp if eof' f`, `perl -ne 'next unless /\S/; print' f`, `perl -pe '$_ = uc' f`, `perl -MPOSIX=floor -e 'print floor(2.5)'`,
	} {
		c := ShellContext(command, State{Cwd: "/w", Roots: []string{"/w"}})
		if d := g.Decide(&c); d.Disposition != Approved {
			t.Errorf("asks: %s: %v", command, d.Reasons)
		}
	}
}
