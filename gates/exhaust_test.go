package gates

import (
	"strings"
	"testing"
)

// TestStreamsWithoutAnEndDoNotReachFiles lets each endless stream go through each
// filter into each sink.
func TestStreamsWithoutAnEndDoNotReachFiles(t *testing.T) {
	sources := []string{
		"yes", "cat /dev/zero", "cat < /dev/urandom", "seq inf", "seq 1 inf", "seq 1e15", "seq 999999999999", "openssl rand 99999999999", "openssl rand -base64 999999999999",
		"head -c 10T /dev/zero", "head -c -1 /dev/zero", "head -n 99999999999 /dev/urandom", "dd if=/dev/zero", "dd if=/dev/zero bs=1M count=1000000", "while true; do echo x; done",
		"for ((;;)); do echo x; done", "until false; do echo x; done", "for i in {1..99999999999}; do echo $i; done", "grep -a . /dev/urandom", "strings /dev/urandom", "awk 1 /dev/zero", "sed p /dev/zero",
		"base64 /dev/urandom", "sh -c 'while :; do echo x; done'", "nice yes", "timeout 9999 yes",
	}
	filters := []string{"", " | cat", " | sed s/a/b/", " | awk 1", " | grep -v q", " | tr a b", " | cut -c1", " | xargs -n1 echo", " | head -c 99T", " | while read x; do echo $x; done"}
	var lines []string
	for _, s := range sources {
		for _, f := range filters {
			lines = append(lines, s+f+" > f", s+f+" >> /tmp/f", s+f+" | tee f", "( "+s+f+" ) > f")
		}
	}
	neverApproved(t, lines, 1000)
}

// TestFilesLargerThanADiskAsk makes them in one step.
func TestFilesLargerThanADiskAsk(t *testing.T) {
	var lines []string
	for _, size := range []string{"9T", "900G", "10995116277760", "1P"} {
		lines = append(lines, crossed([]string{"truncate -s % f", "truncate --size=+% f", "fallocate -l % f", "fallocate --length=% f", "head -c % /dev/zero > f", "dd if=/dev/zero of=f bs=% count=1",
			"dd if=x of=f bs=% count=10", "dd of=f bs=1 seek=% count=0", "truncate -s % f && cp --sparse=never f g"}, []string{size})...)
	}
	neverApproved(t, append(lines, "openssl rand -out f 999999999999", "while true; do cp f f$RANDOM; done", "while :; do cat f f > g; mv g f; done", "i=0; while :; do echo > f$i; i=$((i+1)); done",
		"while true; do mkdir -p x$RANDOM; done"), 40)
}

// TestCodeThatExhaustsAsks gives each language a loop that nothing leaves and a value
// that nothing holds.
func TestCodeThatExhaustsAsks(t *testing.T) {
	code := map[string][]string{
		"python3 -c '%'": {"while True: print(1)", "while 1:\n  print(1)", "print(\"x\" * 10**12)", "print(10**12 * \"x\")", "x = [0] * 10**13", "bytearray(10**12)", "for i in range(10**12): print(i)",
			"print(\"x\"*1_000_000_000_000)", "print(10**10**10)", "print(\"x\" * (1 << 40))", "open(\"f\",\"w\").write(\"x\"*10**12)"},
		"node -e '%'": {"for(;;)console.log(1)", "while (true) console.log(1)", "while(1){console.log(1)}", "console.log(\"x\".repeat(1e12))", "Buffer.alloc(1e13)", "for(let i=0;i<1e15;i++)console.log(i)"},
		"ruby -e '%'": {"loop { puts 1 }", "while true; puts 1; end", "puts \"x\"*10**12", "until false; puts 1; end"},
		"perl -e '%'": {"while(1){print 1}", "print 1 while 1", "print \"x\" x 1e12", "for(;;){print 1}", "1 while print 1"},
		"php -r '%'":  {"while(1)echo 1;", "while (true) { echo 1; }", "echo str_repeat(\"x\",1000000000000);"},
		"lua -e '%'":  {"while true do print(1) end", "print(string.rep(\"x\",1e12))"},
		"jq -n '%'":   {"range(1e12)", "\"x\" * 1e12"},
		"awk '%'":     {"BEGIN{while(1)print 1}", "BEGIN { for (;;) print 1 }", "BEGIN{for(i=0;i<1e15;i++)print i}"},
	}
	var lines []string
	for way, programs := range code {
		for _, p := range programs {
			line := strings.ReplaceAll(way, "%", p)
			lines = append(lines, line+" > f", line)
		}
	}
	neverApproved(t, lines, 60)
}

// TestWorkThatEndsGoesThrough holds daily loops, sizes and streams.
func TestWorkThatEndsGoesThrough(t *testing.T) {
	for _, l := range []string{
		"yes | head -5", "yes | head -n 100 > f", "yes n | head -c 1M > f", "head -c 10M /dev/urandom > f", "head -c 32 /dev/urandom | base64", "dd if=/dev/zero of=f bs=1M count=100", "truncate -s 10G disk.img",
		"fallocate -l 2G f", "seq 1 100 > f", "seq 10 | tee f", "for i in $(seq 1 20); do echo $i; done > f", "openssl rand -hex 32 > key.txt", "grep -m 5 foo a.log > f", "grep foo a.log > f",
		"while read l; do echo $l; done < a.txt > b.txt", "while true; do sleep 1; date; done > f", "while true; do if test -f x; then break; fi; done", "while true; do echo x; sleep 5; done >> log.txt",
		"tail -5 a.log | cut -c1-80 > f", "tail -c +10 a.bin > f", "sed s/a/b/ a.txt > b.txt", "awk '{print $1}' a.txt > b.txt", "awk 'BEGIN{for(i=0;i<10;i++)print i}' > f", "find . -name '*.go' | xargs wc -l > f",
		"python3 -c 'print(10**12)'", "python3 -c 'print(\"-\" * 40)'", "python3 -c 'for i in range(1000000): pass'", "python3 -c 'print(2**64 - 1)'", "python3 -c 'x = 5 * 10**12; print(x)'",
		"python3 -c 'import time\nwhile True:\n  time.sleep(1)\n  print(1)'", "python3 -c 'while True:\n  l = input()\n  print(l)'", "node -e 'console.log(new Date(1700000000000))'", "node -e 'console.log(1e12 / 3)'",
		"node -e 'while(true){ if (Math.random() > 0.9) break; }'", "ruby -e 'loop { puts 1; break }'", "perl -e 'print \"-\" x 72'", "perl -ne 'print if /x/' a.txt", "node -e 'console.log(\"=\".repeat(80))'",
		"php -r 'echo str_repeat(\"-\", 20);'", "python3 -c 'print([0] * 10)'", "date -d @1700000000000", "jq '.a * 1e12' x.json", "jq '[range(10)]' x.json",
	} {
		if d := inventedDecision(l); d.Disposition != Approved {
			t.Errorf("asks: %s: %s", l, d.Reasons[0].Message)
		}
	}
}
