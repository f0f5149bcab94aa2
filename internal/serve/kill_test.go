package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/traverse"
)

// childVariable makes the test program a server that a test can kill.
const childVariable = "GBT_SERVE_TEST_CHILD"

// storeVariable is the name of its store in that folder.
const storeVariable = "GBT_SERVE_TEST_STORE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		if err := child(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child serves the policy in a folder on a socket there, with a store there.
func child(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "policy.gbt"))
	if err != nil {
		return err
	}
	p, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		return err
	}
	policy, err := traverse.New(p, traverse.Options{Digest: info.Digest})
	if err != nil {
		return err
	}
	store, _, err := OpenStore(filepath.Join(dir, os.Getenv(storeVariable)))
	if err != nil {
		return err
	}
	s, err := New(policy, Options{Info: *info, Store: store})
	if err != nil {
		return err
	}
	ln, err := Listen(Address{"unix", filepath.Join(dir, "s")})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	return s.Serve(ctx, ln, log.New(os.Stderr, "", 0))
}

// victim is a server process that is killed and started again.
type victim struct {
	t     *testing.T
	dir   string
	store string
	cmd   *exec.Cmd
	web   *http.Client
}

func (v *victim) start() {
	v.t.Helper()
	v.cmd = exec.Command(os.Args[0])
	v.cmd.Env = append(os.Environ(), childVariable+"="+v.dir, storeVariable+"="+v.store)
	v.cmd.Stderr = os.Stderr
	if err := v.cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	l := &listening{addr: &net.UnixAddr{Name: filepath.Join(v.dir, "s"), Net: "unix"}}
	v.web = l.client()
	for began := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		if res, err := v.web.Get("http://localhost/readyz"); err == nil {
			res.Body.Close()
			return
		} else if time.Since(began) > time.Minute {
			v.t.Fatal(err)
		}
	}
}

func (v *victim) kill() {
	v.cmd.Process.Kill() // SIGKILL, to the process this test started
	v.cmd.Wait()
}

// post sends a request until it is answered, with the same key each time, and
// starts the server again where it has died.
func (v *victim) post(path, key, body string, killAfter time.Duration) []byte {
	v.t.Helper()
	for try := 0; try < 20; try++ {
		if killAfter >= 0 && try == 0 {
			time.AfterFunc(killAfter, v.cmdKill())
		}
		req, err := http.NewRequest("POST", "http://localhost"+path, strings.NewReader(body))
		if err != nil {
			v.t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", key)
		res, err := v.web.Do(req)
		if err == nil {
			data, rerr := io.ReadAll(res.Body)
			res.Body.Close()
			if rerr == nil {
				if res.StatusCode >= 300 {
					v.t.Fatalf("%s: %d %s", path, res.StatusCode, data)
				}
				return data
			}
		}
		v.cmd.Wait()
		v.start()
	}
	v.t.Fatalf("%s: no answer", path)
	return nil
}

// cmdKill kills the process of now, not one that was started later.
func (v *victim) cmdKill() func() {
	p := v.cmd.Process
	return func() { p.Kill() }
}

// TestKill kills the server -9 at any point of its work, again and again: no
// answer that was given is lost, nothing happens twice, and the session ends as
// one that was never disturbed.
func TestKill(t *testing.T) {
	for _, store := range []string{"store", "store.db", "store.sqlite"} {
		t.Run(store, func(t *testing.T) { killed(t, store) })
	}
}

func killed(t *testing.T, store string) {
	dir := t.TempDir()
	policy, err := learned()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "policy.gbt"), policy, 0o600); err != nil {
		t.Fatal(err)
	}
	v := &victim{t: t, dir: dir, store: store}
	v.start()
	defer func() { v.kill() }()
	quiet := dial(t, newTestServer(t, Options{}))
	ep := slices.MaxFunc(episodes(t, 12), func(a, b *corpora.Episode) int { return len(a.Steps) - len(b.Steps) })
	start, err := json.Marshal(map[string]any{"task": map[string]any{"id": "s", "text": ep.Task}, "env": map[string]any{"cwd": "/w", "roots": []string{"/w"}}})
	if err != nil {
		t.Fatal(err)
	}
	n, kills := 0, 0
	both := func(path, body string) {
		t.Helper()
		killAfter := time.Duration(-1)
		if n++; n%2 == 0 {
			kills++
			killAfter = time.Duration(n*37%1500) * time.Microsecond
		}
		got := v.post(path, fmt.Sprint("k", n), body, killAfter)
		if want := quiet.send("POST", path, body).body; !bytes.Equal(got, want) {
			t.Errorf("%s: %s\nundisturbed %s", path, got, want)
		}
	}
	both("/v1/sessions", string(start))
	for i := range ep.Steps {
		if n > 60 {
			break
		}
		b := bodies(t, &ep.Steps[i])
		both("/v1/sessions/s/propose", string(b.propose))
		both("/v1/sessions/s/check", string(b.check))
		both("/v1/sessions/s/observe", string(b.observe))
	}
	both("/v1/sessions/s/finish", "{}")
	if kills < 10 {
		t.Errorf("killed only %d times", kills)
	}
	res, err := v.web.Get("http://localhost/v1/sessions/s")
	if err != nil { // the last kill
		v.cmd.Wait()
		v.start()
		if res, err = v.web.Get("http://localhost/v1/sessions/s"); err != nil {
			t.Fatal(err)
		}
	}
	defer res.Body.Close()
	if st, err := os.Stat(filepath.Join(dir, store)); err != nil || st.IsDir() != (store == "store") {
		t.Errorf("the store: %v, %v", st, err)
	}
	got, err := io.ReadAll(res.Body)
	if want := quiet.send("GET", "/v1/sessions/s", "").body; err != nil || !bytes.Equal(got, want) {
		t.Errorf("the session: %s\nundisturbed %s", got, want)
	}
}
