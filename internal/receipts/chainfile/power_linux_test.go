package chainfile

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gbt-policy/gbt/internal/receipts"
)

// powerCuts is how often TestPowerCut cuts the power. It takes the right to mount:
//
//	unshare -m go test ./internal/receipts/chainfile -run PowerCut -power 200
//
// In a mount namespace of its own no other process keeps the file system that was cut.
var (
	powerCuts = flag.Int("power", 0, "simulated power failures, on a file system of its own")
	powerSync = flag.Bool("power-sync", true, "sync; without it the test shows what is lost")
)

// TestMain makes the test binary the writer whose power is cut.
func TestMain(m *testing.M) {
	if dir := os.Getenv("GBT_CHAINFILE_WRITER"); dir != "" {
		writer(&Log{Dir: dir, NoSync: os.Getenv("GBT_CHAINFILE_NOSYNC") != ""})
	}
	os.Exit(m.Run())
}

// writer appends receipts to three chains in turn and says of each when Append has returned.
func writer(l *Log) {
	for i := 0; ; i++ {
		s := fmt.Sprintf("s%d", i%3)
		err := l.Append(s, receipts.Receipt{Reason: "begins"}, func(func(string) string) []receipts.Receipt {
			return []receipts.Receipt{{Kind: receipts.Call, Tool: "bash", Key: fmt.Sprint(i)}}
		})
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(s)
	}
}

// shutdown is FS_IOC_SHUTDOWN with FS_SHUTDOWN_FLAGS_NOLOGFLUSH (linux/fs.h and ext4.h): the
// file system stops at once, and what was not synced is gone.
const shutdown, noLogFlush = 0x8004587d, 2

// TestPowerCut: after a power failure every receipt is there whose Append had returned, and
// no chain looks tampered with or gone.
func TestPowerCut(t *testing.T) {
	if *powerCuts == 0 {
		t.Skip("-power N cuts the power N times")
	}
	base := t.TempDir()
	img, at := filepath.Join(base, "img"), filepath.Join(base, "at")
	must(t, errors.Join(os.Mkdir(at, 0o755), os.WriteFile(img, nil, 0o600), os.Truncate(img, 256<<20)))
	run := func(name string, args ...string) {
		t.Helper()
		if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
	}
	run("mkfs.ext4", "-q", img)
	run("mount", "-o", "loop", img, at)
	defer exec.Command("umount", at).Run()
	acked, lost, bad := 0, 0, 0
	for i := range *powerCuts {
		dir := filepath.Join(at, fmt.Sprint(i), "receipts")
		must(t, os.MkdirAll(filepath.Dir(dir), 0o755))
		unix.Sync() // the folder above is nobody's promise
		told := cut(t, dir, at)
		run("umount", at)
		run("mount", "-o", "loop", img, at)
		l := &Log{Dir: dir}
		for s, n := range told {
			acked += n
			list, err := l.Read(s)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				bad++
				t.Logf("cut %d, %s, %d acknowledged: %v", i, s, n, err)
			}
			lost += max(0, n-max(0, len(list)-1))
		}
		if missing, err := l.Gone(); err != nil || len(missing) > 0 {
			bad++
			t.Logf("cut %d, %v acknowledged: gone %v, %v", i, told, missing, err)
		}
	}
	t.Logf("%d power failures: %d receipts were acknowledged, %d of them lost, %d chains or records that look tampered with", *powerCuts, acked, lost, bad)
	if *powerSync && lost+bad > 0 || acked == 0 {
		t.Error("that is not what is promised")
	}
}

// cut starts a writer and cuts the power at a random time. It returns how many receipts of
// each chain were acknowledged before.
func cut(t *testing.T, dir, at string) map[string]int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GBT_CHAINFILE_WRITER="+dir)
	if !*powerSync {
		cmd.Env = append(cmd.Env, "GBT_CHAINFILE_NOSYNC=1")
	}
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	told, done := map[string]int{}, make(chan bool)
	stop, cutAt := time.After(time.Duration(rand.IntN(250)+1)*time.Millisecond), make(chan bool)
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			select {
			case <-cutAt:
				io.Copy(io.Discard, out)
				return
			default:
				if s := lines.Text(); len(s) == 2 {
					told[s]++
				}
			}
		}
	}()
	<-stop
	f, err := os.Open(at)
	must(t, err)
	var here, above unix.Stat_t
	must(t, errors.Join(unix.Fstat(int(f.Fd()), &here), unix.Stat(filepath.Dir(at), &above)))
	if here.Dev == above.Dev {
		t.Fatal("the file system is not mounted")
	}
	close(cutAt) // what is acknowledged from here on may be lost
	err = unix.IoctlSetPointerInt(int(f.Fd()), shutdown, noLogFlush)
	must(t, errors.Join(err, f.Close()))
	cmd.Process.Kill()
	<-done
	cmd.Wait()
	return told
}
