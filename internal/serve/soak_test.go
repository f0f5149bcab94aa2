package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gbt-policy/gbt/internal/protocol"
)

// soaker runs sessions against one server.
type soaker struct {
	t     *testing.T
	web   *http.Client
	steps []stepBodies
}

func (k *soaker) do(method, path, body string, want int) []byte {
	req, err := http.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		k.t.Error(err)
		return nil
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := k.web.Do(req)
	if err != nil {
		k.t.Error(err)
		return nil
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		k.t.Errorf("%s %s: %d %s %v", method, path, res.StatusCode, data, err)
	}
	return data
}

// session runs one session to its end. all is passed once every session has
// started; what it remembers must be all that it was told.
func (k *soaker) session(id string, all *sync.WaitGroup) {
	path := "/v1/sessions/" + id
	k.do("POST", "/v1/sessions", `{"task":{"id":"`+id+`","text":"fix the failing test"},"env":{"cwd":"/w","roots":["/w"]}}`, 201)
	all.Done()
	all.Wait()
	for _, b := range k.steps {
		k.do("POST", path+"/propose", string(b.propose), 200)
		k.do("POST", path+"/check", string(b.check), 200)
		k.do("POST", path+"/observe", string(b.observe), 200)
	}
	var s protocol.SessionInfo
	if err := json.Unmarshal(k.do("GET", path, "", 200), &s); err != nil {
		k.t.Error(err)
	}
	if n := len(k.steps); s.Session != id || len(s.Trace) != 3*n || s.Status.Stats.Calls != int64(n) || s.Status.Steps != int64(n) {
		k.t.Errorf("session %s lost something: %d in its trace, %+v", id, len(s.Trace), s.Status)
	}
}

// wave runs n sessions at once and deletes them.
func (k *soaker) wave(s *Server, name string, n int) {
	var all, done sync.WaitGroup
	all.Add(n)
	for i := range n {
		done.Go(func() { k.session(fmt.Sprint(name, i), &all) })
	}
	done.Wait()
	if live := s.service.Live(); live != n {
		k.t.Errorf("%d sessions of %d", live, n)
	}
	for i := range n {
		k.do("DELETE", fmt.Sprint("/v1/sessions/", name, i), "", 204)
	}
}

// TestSoak runs 1,000 sessions at once: nothing is lost, and once they are gone
// the memory is as it was after as many that did nothing, but for what it takes
// to tell that they were there.
func TestSoak(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 100
	}
	s := newTestServer(t, Options{})
	l := listen(t, s, Address{"unix", filepath.Join(t.TempDir(), "s")})
	k := &soaker{t: t, web: l.client()}
	ep := episodes(t, 1)[0]
	var heap [2]uint64
	for i, steps := range [][]stepBodies{nil, {bodies(t, &ep.Steps[0])}} {
		k.steps = steps
		k.wave(s, fmt.Sprint("w", i, "-"), n)
		k.web.CloseIdleConnections()
		heap[i] = settled()
	}
	grown := int64(heap[1]) - int64(heap[0])
	if grown > 200<<10+int64(n)*1000 { // a session that stays takes several thousand bytes
		t.Errorf("memory grew by %d bytes a session: %v", grown/int64(n), heap)
	}
	t.Logf("heap before and after %d sessions: %d and %d bytes", n, heap[0], heap[1])
}

// settled is the memory that is in use once nothing is under way.
func settled() uint64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
