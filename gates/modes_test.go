package gates

import "testing"

// TestModesThatGiveRightsAwayAsk sets each such mode in each way that makes a file.
func TestModesThatGiveRightsAwayAsk(t *testing.T) {
	ways := []string{"chmod % x", "chmod -- % x", "chmod -R % .", "install -m % a x", "install --mode=% a x", "install -m% a x", "mkdir -m % x", "mkdir --mode % x", "mkfifo -m % x"}
	neverApproved(t, crossed(ways, []string{"4755", "2755", "06755", "u+s", "g+s", "u=rws", "777", "0777", "a+w", "=4755", "o+w"}), 90)
	neverApproved(t, []string{"patch -d ~ -p0 < x.diff", "patch --directory=/usr -p1 < x", "strace -o '|sh' ls", "strace -o'|id' ls", "strace --output='!id' ls"}, 5)
}

func TestUsualModesGoThrough(t *testing.T) {
	for _, l := range []string{"chmod +x a.sh", "chmod 755 a.sh", "chmod u+w a", "install -m 755 a bin/a", "install -m 0644 a b", "mkdir -m 700 x", "mkdir -p a/b", "mkfifo p", "patch -d sub -p1 < x.diff", "strace -o trace.txt ls"} {
		if d := inventedDecision(l); d.Disposition != Approved {
			t.Errorf("asks: %s: %s", l, d.Reasons[0].Message)
		}
	}
}
