package serve

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/protocol"
)

// listening is a server on a real listener.
type listening struct {
	s    *Server
	addr net.Addr
	stop func() error // ends the server and returns its error
}

func listen(t testing.TB, s *Server, a Address) *listening {
	t.Helper()
	ln, err := Listen(a)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, ln, log.New(io.Discard, "", 0)) }()
	l := &listening{s, ln.Addr(), func() error { cancel(); err := <-done; done <- err; return err }}
	t.Cleanup(func() { l.stop() })
	return l
}

func (l *listening) dial(t testing.TB) net.Conn {
	t.Helper()
	c, err := net.Dial(l.addr.Network(), l.addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// overSocket is a client for one address.
func (l *listening) client() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, l.addr.Network(), l.addr.String())
	}}}
}

var localhost = Address{"tcp", "127.0.0.1:0"}

// TestUnixSocket is its owner's alone, and is gone after the server.
func TestUnixSocket(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sub", "gbt.sock")
	l := listen(t, newTestServer(t, Options{}), Address{"unix", name})
	st, err := os.Stat(name)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st, err)
	}
	if dir, err := os.Stat(filepath.Dir(name)); err != nil || dir.Mode().Perm() != 0o700 {
		t.Errorf("its folder: %v %v", dir, err)
	}
	res, err := l.client().Get("http://localhost/healthz")
	if err != nil || res.StatusCode != 200 {
		t.Errorf("%v %v", res, err)
	}
	if _, err := Listen(Address{"unix", name}); err == nil || !strings.Contains(err.Error(), "another server") {
		t.Errorf("a second server: %v", err)
	}
	if err := l.stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
}

// TestStaleSocket replaces what a dead server left, and nothing else.
func TestStaleSocket(t *testing.T) {
	dir := t.TempDir()
	stale := filepath.Join(dir, "stale")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	listen(t, newTestServer(t, Options{}), Address{"unix", stale})

	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(Address{"unix", file}); err == nil {
		t.Error("a file was taken for a socket")
	}
	if data, err := os.ReadFile(file); string(data) != "precious" {
		t.Errorf("the file: %q %v", data, err)
	}
	used := filepath.Join(dir, "used")
	other, err := net.Listen("unix", used)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := Listen(Address{"unix", used}); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("a socket in use: %v", err)
	}
	wide := filepath.Join(dir, "wide")
	if err := os.Mkdir(wide, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(wide, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(Address{"unix", filepath.Join(wide, "s")}); err == nil {
		t.Error("a folder that others can write")
	}
	if err := os.Chmod(wide, 0o777|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	listen(t, newTestServer(t, Options{}), Address{"unix", filepath.Join(wide, "s")})
}

// TestAddresses reads addresses and tells which of them only this machine reaches.
func TestAddresses(t *testing.T) {
	tests := []struct {
		in, network, name string
		loopback          bool
	}{
		{"unix:///run/gbt.sock", "unix", "/run/gbt.sock", false}, {"/run/gbt.sock", "unix", "/run/gbt.sock", false}, {"./s", "unix", "./s", false},
		{"tcp://127.0.0.1:80", "tcp", "127.0.0.1:80", true}, {"tcp://[::1]:80", "tcp", "[::1]:80", true}, {"tcp://127.9.9.9:0", "tcp", "127.9.9.9:0", true},
		{"tcp://0.0.0.0:80", "tcp", "0.0.0.0:80", false}, {"tcp://:80", "tcp", ":80", false}, {"tcp://[::]:80", "tcp", "[::]:80", false}, {"tcp://10.0.0.1:80", "tcp", "10.0.0.1:80", false},
		{"tcp://nobody.invalid:80", "tcp", "nobody.invalid:80", false},
		{"tcp://127.0.0.1", "", "", false}, {"http://x:80", "", "", false}, {"x", "", "", false}, {"", "", "", false}, {"unix://", "", "", false},
	}
	for _, tt := range tests {
		a, err := ParseAddress(tt.in)
		if (err == nil) != (tt.network != "") || a.Network != tt.network || a.Name != tt.name {
			t.Errorf("%s: %+v %v", tt.in, a, err)
		}
		if a.Network == "tcp" && a.Loopback(context.Background()) != tt.loopback {
			t.Errorf("%s: loopback is %v", tt.in, !tt.loopback)
		}
	}
}

// TestSlowClients are cut off, while others are served.
func TestSlowClients(t *testing.T) {
	s := newTestServer(t, Options{HeaderTimeout: 200 * time.Millisecond, ReadTimeout: 400 * time.Millisecond, IdleTimeout: 300 * time.Millisecond})
	l := listen(t, s, localhost)
	begin := "POST /v1/check HTTP/1.1\r\nHost: x\r\n"
	for name, sent := range map[string]string{
		"half a header": begin + "Content-Type: appl", "no header": "", "half a body": begin + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
		"half a chunk": begin + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{", "idle": "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		c := l.dial(t)
		go func() {
			for i := range len(sent) { // as slowly as they like
				c.Write([]byte(sent[i : i+1]))
			}
		}()
		c.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.ReadAll(c); err != nil {
			t.Errorf("%s: the connection stays open: %v", name, err)
		}
	}
	if res, err := http.Get("http://" + l.addr.String() + "/healthz"); err != nil || res.StatusCode != 200 {
		t.Errorf("others: %v %v", res, err)
	}
}

// TestHugeBodies are refused without being read, whether or not they say how
// long they are.
func TestHugeBodies(t *testing.T) {
	l := listen(t, newTestServer(t, Options{MaxBody: 100 << 10}), localhost)
	for name, length := range map[string]int64{"told": 10 << 30, "not told": -1} {
		body := &endless{}
		req, err := http.NewRequest("POST", "http://"+l.addr.String()+"/v1/check", body)
		if err != nil {
			t.Fatal(err)
		}
		req.ContentLength = length
		req.Header.Set("Content-Type", "application/json")
		res, err := (&http.Client{Transport: &http.Transport{}}).Do(req)
		if err != nil {
			continue // the server closed the connection under the writer
		}
		text, _ := io.ReadAll(res.Body)
		if res.StatusCode != 413 || !strings.Contains(string(text), "body-too-large") {
			t.Errorf("%s: %d %s", name, res.StatusCode, text)
		}
		if n := body.n.Load(); n > 8<<20 {
			t.Errorf("%s: %d bytes were read", name, n)
		}
	}
}

// endless is a body without an end.
type endless struct{ n atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.n.Add(int64(len(p)))
	return copy(p, bytes.Repeat([]byte{' '}, len(p))), nil
}

// TestBodiesShareMemory waits with large bodies while others are being read, and
// with small ones never.
func TestBodiesShareMemory(t *testing.T) {
	s := newTestServer(t, Options{MaxBody: 200 << 10, MaxBodies: 200 << 10, Wait: 300 * time.Millisecond})
	l := listen(t, s, localhost)
	slow := l.dial(t)
	fmt.Fprintf(slow, "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{", 200<<10)
	for s.bodies.TryAcquire(1) { // until the slow one has its share
		s.bodies.Release(1)
		time.Sleep(time.Millisecond)
	}
	post := func(body string) int {
		res, err := http.Post("http://"+l.addr.String()+"/v1/check", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	large := shell(strings.Repeat("x", 100<<10))
	if code := post(large); code != 503 {
		t.Errorf("a large body beside a slow one: %d", code)
	}
	if code := post(shell("ls")); code != 200 {
		t.Errorf("a small one: %d", code)
	}
	slow.Close()
	for !s.bodies.TryAcquire(200 << 10) {
		time.Sleep(time.Millisecond)
	}
	s.bodies.Release(200 << 10)
	if code := post(large); code != 200 {
		t.Errorf("a large one after it: %d", code)
	}
}

// TestDroppedConnection loses the answer, not what it was about: the repeat gets
// it, and nothing happens twice.
func TestDroppedConnection(t *testing.T) {
	s := newTestServer(t, Options{})
	l := listen(t, s, localhost)
	c := dial(t, s)
	for i := range 20 {
		id := fmt.Sprint("s", i)
		c.begin(id)
		body := strings.TrimSuffix(shell("ls"), "}") + `,"result":{}}`
		conn := l.dial(t)
		fmt.Fprintf(conn, "POST /v1/sessions/%s/observe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nIdempotency-Key: k\r\nContent-Length: %d\r\n\r\n%s", id, len(body), body)
		time.Sleep(time.Duration(i) * 50 * time.Microsecond)
		conn.Close()
		c.send("POST", "/v1/sessions/"+id+"/observe", body, "Idempotency-Key", "k")
		var got protocol.SessionInfo
		if c.send("GET", "/v1/sessions/"+id, "").into(t, &got); got.Status.Stats.Calls != 1 {
			t.Errorf("%s: %d calls", id, got.Status.Stats.Calls)
		}
	}
}

// TestGracefulShutdown finishes what is under way, stores it and takes nothing
// new.
func TestGracefulShutdown(t *testing.T) {
	held, free := make(chan struct{}), make(chan struct{})
	dir := openDir(t, t.TempDir())
	s := newTestServer(t, Options{Store: dir, Log: func(*protocol.Logged) error {
		held <- struct{}{}
		<-free
		return nil
	}})
	c := dial(t, s)
	c.begin("s")
	l := listen(t, s, localhost)
	answered := make(chan int, 1)
	go func() {
		res, err := http.Post("http://"+l.addr.String()+"/v1/sessions/s/check", "application/json", strings.NewReader(shell("ls")))
		if err != nil {
			answered <- 0
			return
		}
		answered <- res.StatusCode
	}()
	<-held
	stopped := make(chan error, 1)
	go func() { stopped <- l.stop() }()
	for { // until nobody listens
		conn, err := net.Dial("tcp", l.addr.String())
		if err != nil {
			break
		}
		conn.Close()
		time.Sleep(time.Millisecond)
	}
	select {
	case err := <-stopped:
		t.Fatalf("stopped with a request under way: %v", err)
	default:
	}
	close(free)
	if code := <-answered; code != 200 {
		t.Errorf("the request under way: %d", code)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if a := c.send("POST", "/v1/sessions/s/check", shell("ls")); a.fault() != "shutting-down" {
		t.Errorf("after the end: %d %s", a.status, a.body)
	}
	if a := c.send("GET", "/readyz", ""); a.status != 503 {
		t.Errorf("ready after the end: %d", a.status)
	}
	data, err := dir.Get("s")
	if err != nil || !strings.Contains(string(data), `"op":"check"`) {
		t.Errorf("the last answer is not stored: %v", err)
	}
}

// TestDrain gives up on a request that does not end.
func TestDrain(t *testing.T) {
	free := make(chan struct{})
	held := make(chan struct{})
	s := newTestServer(t, Options{Drain: 50 * time.Millisecond, Log: func(*protocol.Logged) error {
		close(held)
		<-free
		return nil
	}})
	l := listen(t, s, localhost)
	go http.Post("http://"+l.addr.String()+"/v1/check", "application/json", strings.NewReader(shell("ls")))
	<-held
	if err := l.stop(); err == nil || !strings.Contains(err.Error(), "under way") {
		t.Errorf("%v", err)
	}
	close(free)
}

// TestMalformedHTTP is answered with 400 or a closed connection.
func TestMalformedHTTP(t *testing.T) {
	l := listen(t, newTestServer(t, Options{HeaderTimeout: 200 * time.Millisecond}), localhost)
	for _, raw := range []string{
		"\r\n\r\n", "GET\r\n\r\n", "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00",
		"POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n{}", "GET /v1/policy HTTP/9.9\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("y", 64<<10) + "\r\n\r\n",
	} {
		conn := l.dial(t)
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(conn, raw)
		status, _ := bufio.NewReader(conn).ReadString('\n')
		if status != "" && !strings.HasPrefix(status, "HTTP/1.1 4") && !strings.HasPrefix(status, "HTTP/1.1 505") {
			t.Errorf("%.40q: %s", raw, status)
		}
		conn.Close()
	}
}
