package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/internal/stores"
	"github.com/gbt-policy/gbt/traverse"
)

// clock is a clock that tests turn.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) turn(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func openDir(t testing.TB, name string) *stores.Dir {
	t.Helper()
	d, err := stores.OpenDir(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// TestWallTimeIsTheServers holds that no client sets the clock back (B1).
func TestWallTimeIsTheServers(t *testing.T) {
	k := &clock{now: time.Unix(1_000_000, 0)}
	c := dial(t, newTestServer(t, Options{Now: k.read}))
	tests := []struct {
		name, used string
		seconds    int64
	}{
		{"told-nothing", `{}`, 60},
		{"told-zero", `{"seconds":0}`, 60},
		{"told-less", `{"seconds":9}`, 60},
		{"told-more", `{"seconds":70}`, 70},
	}
	for _, tt := range tests {
		c.send("POST", "/v1/sessions", `{"task":{"id":"`+tt.name+`","text":"fix the failing test","limits":{"wall_seconds":60}}}`)
	}
	k.turn(time.Minute)
	for _, tt := range tests {
		var d protocol.Decision
		c.send("POST", "/v1/sessions/"+tt.name+"/check", `{"call":{"tool":"bash","args":{"command":"ls"},"used":`+tt.used+`}}`).into(t, &d)
		var s struct{ Status struct{ Used traverse.Usage } }
		c.send("GET", "/v1/sessions/"+tt.name, "").into(t, &s)
		if d.Allowed || s.Status.Used.Seconds != tt.seconds {
			t.Errorf("%s: allowed %v after %d seconds", tt.name, d.Allowed, s.Status.Used.Seconds)
		}
	}
}

// TestLongNamesAreCut holds that a session does not grow by what its calls are
// called, and still tells two long names apart.
func TestLongNamesAreCut(t *testing.T) {
	dir := openDir(t, t.TempDir())
	c := dial(t, newTestServer(t, Options{Store: dir}))
	c.begin("s")
	long := strings.Repeat("longname_", 1<<12)
	for i := range 20 {
		call := fmt.Sprintf(`{"call":{"tool":"t%d_%s%d","args":{"command":"%s"}}`, i%2, long, i, long)
		c.send("POST", "/v1/sessions/s/check", call+`}`)
		c.send("POST", "/v1/sessions/s/observe", call+`,"result":{"output":"x","error":"`+long+`"}}`)
		c.send("POST", "/v1/sessions/s/propose", `{"tool":"`+long+`","args":{}}`)
		c.send("POST", "/v1/sessions/s/check", `{"call":{"tool":"bash","args":{"command":"`+long+` --now"}}}`)
	}
	data, err := dir.Get("s")
	if rest := withoutTexts(t, data); err != nil || len(rest) > 200<<10 || len(data) > len(rest)+20*2*(len(long)+100) {
		t.Errorf("the session has %d bytes, %d without what came back, %v", len(data), len(rest), err)
	}
	if i := strings.Index(string(data), long[:400]); i >= 0 {
		t.Errorf("a long name stands in the session: %.300s", data[max(0, i-100):])
	}
	for _, n := range []int{199, 200, 201, 5000} {
		a, b := traverse.Name(strings.Repeat("a", n)), traverse.Name(strings.Repeat("a", n)+"b")
		if a == b || len(a) > 220 || n <= 200 && len(a) != n {
			t.Errorf("%d bytes: %s, %s", n, a, b)
		}
	}
}

// withoutTexts is a stored session without the texts that came back from calls,
// which are kept as they are.
func withoutTexts(t *testing.T, data []byte) []byte {
	t.Helper()
	var s map[string]json.RawMessage
	head, body, _ := bytes.Cut(data, []byte("\n"))
	if err := json.Unmarshal(body, &s); err != nil {
		t.Fatal(err)
	}
	var past []byte
	if err := json.Unmarshal(s["past"], &past); err != nil {
		t.Fatalf("the session's memory: %v", err)
	}
	known, texts, ok := bytes.Cut(past, []byte("\n"))
	if !ok || len(texts) == 0 {
		t.Fatal("the session's memory has no texts")
	}
	s["past"], _ = json.Marshal(known)
	rest, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return append(head, rest...)
}

// TestExpiry never ends a session silently.
func TestExpiry(t *testing.T) {
	const look = `{"text":"look","used":{"seconds":1}}`
	k := &clock{now: time.Unix(1e9, 0)}
	c := dial(t, newTestServer(t, Options{MaxSessions: 2, TTL: time.Hour, Idle: time.Minute, Now: k.read}))
	c.begin("a")
	c.begin("b")
	start := `{"task":{"id":"c","text":"x"}}`
	if a := c.send("POST", "/v1/sessions", start); a.status != 429 || a.fault() != "too-many-sessions" || a.header.Get("Retry-After") == "" {
		t.Errorf("a third of two: %d %s", a.status, a.body)
	}
	k.turn(61 * time.Second)
	c.send("POST", "/v1/sessions/a/propose", look) // b is now the one used least recently
	if a := c.send("POST", "/v1/sessions", start); a.status != 201 {
		t.Errorf("with one idle: %d %s", a.status, a.body)
	}
	for _, op := range []string{"propose", "check", "finish"} {
		if a := c.abuse("POST", "/v1/sessions/b/"+op, look); a.status != 410 || a.fault() != "session-expired" || !strings.Contains(string(a.body), "--store") {
			t.Errorf("%s after it made room: %d %s", op, a.status, a.body)
		}
	}
	if a := c.send("POST", "/v1/sessions", `{"task":{"id":"b","text":"x"}}`); a.fault() != "session-exists" {
		t.Errorf("an id used before: %d %s", a.status, a.body)
	}
	k.turn(time.Hour + time.Second)
	if a := c.send("GET", "/v1/sessions/a", ""); a.fault() != "session-expired" || !strings.Contains(string(a.body), "idle for 1h0m0s") {
		t.Errorf("past the TTL: %d %s", a.status, a.body)
	}
	c.begin("d")
	c.send("DELETE", "/v1/sessions/d", "")
	if a := c.send("GET", "/v1/sessions/d", ""); a.status != 410 || a.fault() != "session-deleted" {
		t.Errorf("deleted: %d %s", a.status, a.body)
	}
	if a := c.send("GET", "/metrics", ""); !strings.Contains(string(a.body), "gbt_sessions_expired_total 3\n") || !strings.Contains(string(a.body), "gbt_sessions 0\n") {
		t.Errorf("metrics do not count three expired and none left")
	}
}

// TestStoredSessions leave memory and come back the same, in one server and in
// the next.
func TestStoredSessions(t *testing.T) {
	k := &clock{now: time.Unix(1e9, 0)}
	dir := t.TempDir()
	store := openDir(t, dir)
	opt := Options{MaxSessions: 1, Store: store, Now: k.read}
	c := dial(t, newTestServer(t, opt))
	twin := dial(t, newTestServer(t, Options{Now: k.read})) // holds the same sessions in memory
	for _, id := range []string{"a", "b", "c"} {
		c.begin(id)
		twin.begin(id)
	}
	steps := []struct{ op, body string }{
		{"propose", `{"tool":"bash","args":{"command":"cat a.py"}}`}, {"check", shell("cat a.py")}, {"check", shell("curl https://example.org/x")},
		{"observe", strings.TrimSuffix(shell("cat a.py"), "}") + `,"result":{"output":"https://example.org/x"}}`}, {"check", shell("curl https://example.org/x")},
		{"propose", `{"text":"run the tests"}`}, {"finish", `{}`},
	}
	for i, s := range steps {
		if i == 4 { // another process takes over
			store.Close()
			opt.Store = openDir(t, dir)
			c = dial(t, newTestServer(t, opt))
		}
		for _, id := range []string{"a", "b", "c"} { // each pushes the others out of memory
			path := "/v1/sessions/" + id + "/" + s.op
			got, want := c.send("POST", path, s.body), twin.send("POST", path, s.body)
			if got.status != 200 || !bytes.Equal(got.body, want.body) {
				t.Errorf("step %d: %d %s\nin memory %s", i, got.status, got.body, want.body)
			}
		}
	}
	got, want := c.send("GET", "/v1/sessions/b", ""), twin.send("GET", "/v1/sessions/b", "")
	if !bytes.Equal(got.body, want.body) {
		t.Errorf("session %s\nin memory %s", got.body, want.body)
	}
	if a := c.send("POST", "/v1/sessions", `{"task":{"id":"b","text":"x"}}`); a.fault() != "session-exists" {
		t.Errorf("the id of a stored session: %d %s", a.status, a.body)
	}
	c.send("DELETE", "/v1/sessions/b", "")
	if _, err := opt.Store.Get("b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a deleted session is still stored: %v", err)
	}
	if _, err := stores.OpenDir(dir); err == nil {
		t.Error("two processes have one folder")
	}
}

// TestDamagedStore says what is wrong, and decides nothing.
func TestDamagedStore(t *testing.T) {
	dir := openDir(t, t.TempDir())
	c := dial(t, newTestServer(t, Options{Store: dir}))
	c.begin("good")
	good, err := dir.Get("good")
	if err != nil {
		t.Fatal(err)
	}
	head, session, _ := bytes.Cut(good, []byte("\n"))
	for name, data := range map[string][]byte{
		"empty": nil, "cut": good[:len(good)-5], "nothing-below": head, "other": good, "no-json": append([]byte("{\n"), session...),
		"version": bytes.Replace(good, []byte(`"version":1`), []byte(`"version":9`), 1),
	} {
		if err := dir.Put(name, data); err != nil {
			t.Fatal(err)
		}
		if a := c.send("POST", "/v1/sessions/"+name+"/check", shell("ls")); a.status != 500 || a.fault() != "store-failed" {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		if a := c.send("DELETE", "/v1/sessions/"+name, ""); a.status != 204 {
			t.Errorf("%s is not deleted: %d %s", name, a.status, a.body)
		}
		if _, err := dir.Get(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still stored: %v", name, err)
		}
	}
	if a := c.send("DELETE", "/v1/sessions/none", ""); a.fault() != "session-unknown" || strings.Contains(string(a.body), "--store") {
		t.Errorf("none to delete: %d %s", a.status, a.body)
	}
	if a := c.send("POST", "/v1/sessions/good/check", shell("ls")); a.status != 200 {
		t.Errorf("good: %d %s", a.status, a.body)
	}
}

// failing is a store whose writes fail on demand.
type failing struct {
	protocol.Store
	fail bool
}

func (f *failing) Put(id string, data []byte) error {
	if f.fail {
		return errors.New("the disk is full")
	}
	return f.Store.Put(id, data)
}

// TestStoreFails answers nothing that is not stored, and goes on from what is.
func TestStoreFails(t *testing.T) {
	store := &failing{Store: openDir(t, t.TempDir())}
	c := dial(t, newTestServer(t, Options{Store: store}))
	c.begin("s")
	store.fail = true
	if a := c.send("POST", "/v1/sessions/s/check", shell("ls")); a.fault() != "store-failed" || !strings.Contains(string(a.body), "disk is full") {
		t.Errorf("check: %d %s", a.status, a.body)
	}
	if a := c.send("POST", "/v1/sessions", `{"task":{"id":"n","text":"x"}}`); a.fault() != "store-failed" {
		t.Errorf("start: %d %s", a.status, a.body)
	}
	store.fail = false
	var s protocol.SessionInfo
	if c.send("GET", "/v1/sessions/s", "").into(t, &s); len(s.Trace) != 0 {
		t.Errorf("what was not stored is remembered: %s", s.Trace)
	}
	c.begin("n")
}

// TestIdempotencyKey answers a repeat with the first answer and does nothing
// twice, also after a restart.
func TestIdempotencyKey(t *testing.T) {
	dir := openDir(t, t.TempDir())
	c := dial(t, newTestServer(t, Options{Store: dir}))
	start := `{"task":{"id":"s","text":"fix the failing test"}}`
	first := c.send("POST", "/v1/sessions", start, "Idempotency-Key", "k0")
	if again := c.send("POST", "/v1/sessions", start, "Idempotency-Key", "k0"); again.status != 201 || !bytes.Equal(first.body, again.body) {
		t.Errorf("start again: %d %s", again.status, again.body)
	}
	if a := c.send("POST", "/v1/sessions", start, "Idempotency-Key", "k9"); a.fault() != "session-exists" {
		t.Errorf("start with another key: %d %s", a.status, a.body)
	}
	if a := c.send("POST", "/v1/sessions", strings.Replace(start, "fix", "mend", 1), "Idempotency-Key", "k0"); a.fault() != "idempotency-key-reused" {
		t.Errorf("another start with the key: %d %s", a.status, a.body)
	}
	observe := strings.TrimSuffix(shell("ls"), "}") + `,"result":{}}`
	first = c.send("POST", "/v1/sessions/s/observe", observe, "Idempotency-Key", "k1")
	c = dial(t, newTestServer(t, Options{Store: dir}))
	if again := c.send("POST", "/v1/sessions/s/observe", observe, "Idempotency-Key", "k1"); !bytes.Equal(first.body, again.body) {
		t.Errorf("again: %s\nfirst: %s", again.body, first.body)
	}
	if a := c.send("POST", "/v1/sessions/s/observe", observe+" ", "Idempotency-Key", "k1"); a.status != 409 || a.fault() != "idempotency-key-reused" {
		t.Errorf("another body: %d %s", a.status, a.body)
	}
	if a := c.abuse("POST", "/v1/sessions/s/check", observe, "Idempotency-Key", "k1"); a.fault() != "idempotency-key-reused" {
		t.Errorf("another operation: %d %s", a.status, a.body)
	}
	var s protocol.SessionInfo
	if c.send("GET", "/v1/sessions/s", "").into(t, &s); s.Status.Stats.Calls != 1 || len(s.Trace) != 1 {
		t.Errorf("it happened %d times", s.Status.Stats.Calls)
	}
	for i := range 16 {
		c.send("POST", "/v1/sessions/s/check", shell("ls"), "Idempotency-Key", fmt.Sprint("n", i))
	}
	c.send("POST", "/v1/sessions/s/observe", observe, "Idempotency-Key", "k1") // forgotten: a new request
	if c.send("GET", "/v1/sessions/s", "").into(t, &s); s.Status.Stats.Calls != 2 {
		t.Errorf("%d calls", s.Status.Stats.Calls)
	}
	if a := c.abuse("POST", "/v1/sessions/s/check", shell("ls"), "Idempotency-Key", strings.Repeat("k", 129)); a.fault() != "invalid-request" {
		t.Errorf("a long key: %d %s", a.status, a.body)
	}
}

// TestTrace keeps the last answers.
func TestTrace(t *testing.T) {
	c := dial(t, newTestServer(t, Options{}))
	c.begin("s")
	for range 256 + 5 {
		c.abuse("POST", "/v1/sessions/s/check", shell("ls"))
	}
	var s protocol.SessionInfo
	if c.send("GET", "/v1/sessions/s", "").into(t, &s); len(s.Trace) != 256 || !strings.HasPrefix(string(s.Trace[0]), `{"n":6,`) {
		t.Errorf("%d entries, the first %s", len(s.Trace), s.Trace[0])
	}
}

// TestLog puts decisions on record before they are answered.
func TestLog(t *testing.T) {
	var logged []*protocol.Logged
	var fail error
	c := dial(t, newTestServer(t, Options{Log: func(l *protocol.Logged) error {
		logged = append(logged, l)
		return fail
	}}))
	c.begin("s")
	var d protocol.Decision
	c.send("POST", "/v1/sessions/s/check", shell("ls")).into(t, &d)
	c.send("POST", "/v1/check", shell("ls"))
	if len(logged) != 2 || logged[0].ID != d.DecisionID || logged[0].Session != "s" || logged[1].Session != "" {
		t.Errorf("%d on record", len(logged))
	}
	fail = errors.New("the disk is full")
	for _, path := range []string{"/v1/sessions/s/check", "/v1/check"} {
		if a := c.send("POST", path, shell("ls")); a.status != 500 || a.fault() != "store-failed" {
			t.Errorf("%s off the record: %d %s", path, a.status, a.body)
		}
	}
}

// TestIDsStayInTheStore takes no path for an id.
func TestIDsStayInTheStore(t *testing.T) {
	dir := t.TempDir()
	outside := openDir(t, dir)
	dial(t, newTestServer(t, Options{Store: outside})).begin("x")
	c := dial(t, newTestServer(t, Options{Store: openDir(t, dir+"/store")}))
	for _, id := range []string{"..%2Fx", "..%2F..%2Fx", "%2E%2E%2Fx"} {
		if a := c.abuse("GET", "/v1/sessions/"+id, ""); a.fault() != "session-unknown" {
			t.Errorf("%s: %d %s", id, a.status, a.body)
		}
	}
}

// TestOpenStore tells databases from folders by their names, and lets only one
// process at a time have either.
func TestOpenStore(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("folder.db", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "*stores.Dir", "folder.db": "*stores.Dir", "b.db": "*serve.keptStore", "c.bbolt": "*serve.keptStore", "bbolt:d": "*serve.keptStore", "e.sqlite": "*serve.keptStore"} {
		s, shut, err := OpenStore(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%T", s); got != want {
			t.Errorf("%s is a %s, want %s", name, got, want)
		}
		if err := s.Put("x", []byte("y")); err != nil {
			t.Error(err)
		}
		if _, _, err := OpenStore(name); err == nil {
			t.Errorf("%s was opened twice", name)
		}
		if err := shut(); err != nil {
			t.Error(err)
		}
	}
	if st, err := os.Stat("d"); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the database: %v %v", st, err)
	}
}
