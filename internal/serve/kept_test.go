package serve

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/receipts"
	"github.com/gbt-policy/gbt/internal/stores/named"
	"github.com/gbt-policy/gbt/internal/tasks"
)

// kept serves a database, and reads its receipts as gbt sessions does, beside it.
type kept struct {
	t    *testing.T
	name string
	c    *client
	shut func() error
}

func newKept(t *testing.T, name string) *kept {
	t.Helper()
	store, shut, err := OpenStore(name)
	if err != nil {
		t.Fatal(err)
	}
	return &kept{t, name, dial(t, newTestServer(t, Options{Store: store})), shut}
}

func (k *kept) post(path, body string) string {
	k.t.Helper()
	a := k.c.send("POST", "/v1/sessions"+path, body)
	if a.status >= 300 {
		k.t.Fatalf("%s: %d %s", path, a.status, a.body)
	}
	return string(a.body)
}

func (k *kept) chain(id string) (out []*receipts.Receipt, task *tasks.Task) {
	k.t.Helper()
	db, err := named.Open(k.name)
	if err != nil {
		k.t.Fatal(err)
	}
	b, err := tasks.Open(db, tasks.Options{})
	if err != nil {
		k.t.Fatal(err)
	}
	defer b.Close()
	list, err := b.Verify()
	for _, r := range list {
		err = errors.Join(err, r.Err)
	}
	if err == nil {
		err = b.Receipts(id, func(r *receipts.Receipt) error { out = append(out, r); return nil })
	}
	if err == nil {
		task, err = b.Get(id)
	}
	if err != nil {
		k.t.Fatal(err)
	}
	return out, task
}

func words(list []*receipts.Receipt) string {
	var out []string
	for _, r := range list {
		s := string(r.Kind)
		if r.Kind == receipts.State {
			s = r.From + ">" + r.To
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// TestServedReceipts: what a host does through the server leaves receipts in the
// database, in the order in which it happened, also over a restart.
func TestServedReceipts(t *testing.T) {
	for _, name := range []string{"s.db", "s.sqlite"} {
		t.Run(name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), name)
			k := newKept(t, name)
			const call = `{"tool":"bash","args":{"command":"ls"}}`
			k.post("", `{"task":{"id":"a","text":"look around"},"env":{"cwd":"/w","roots":["/w"]}}`)
			k.post("/a/check", `{"call":`+call+`}`)
			k.post("/a/propose", `{"tool":"bash","args":{"command":"ls"}}`)
			k.post("/a/check", `{"call":`+call+`}`) // the same call, before it ran
			if _, task := k.chain("a"); len(task.Pending) != 1 || task.State != tasks.Running {
				t.Errorf("under way: %+v", task)
			}
			k.post("/a/observe", `{"call":`+call+`,"result":{"output":"token ghp_`+strings.Repeat("aB3dE5fG7h", 4)[:36]+`"}}`)
			k.post("/a/check", `{"call":{"tool":"bash","args":{"command":"rm -rf /"}}}`)
			k.post("/a/observe", `{"call":{"tool":"bash","args":{"command":"rm -rf /"}},"result":{"blocked":true}}`)
			var asked struct{ Confirmation string }
			if err := json.Unmarshal([]byte(k.post("/a/check", `{"call":{"tool":"launch_it","args":{"x":"1"}}}`)), &asked); err != nil || asked.Confirmation == "" {
				t.Fatalf("%v %+v", err, asked)
			}
			k.post("/a/confirm", `{"confirmation":"`+asked.Confirmation+`","agreed":true}`)
			k.post("/a/check", `{"call":{"tool":"launch_it","args":{"x":"1"}}}`)
			if err := k.shut(); err != nil {
				t.Fatal(err)
			}
			k = newKept(t, name)
			k.post("/a/observe", `{"call":{"tool":"launch_it","args":{"x":"1"}},"result":{}}`)
			k.post("/a/observe", `{"call":{"tool":"bash","args":{"command":"whoami"}},"result":{}}`)
			list, task := k.chain("a")
			const want = "created queued>running call outcome stopped stopped consent call running>zombie zombie>running outcome call outcome"
			if got := words(list); got != want {
				t.Errorf("receipts %s\nwant     %s", got, want)
			}
			if list[2].Tier != "local-reversible" || list[2].Reversal != receipts.NotReversed || list[2].Decision == "" || strings.Contains(string(list[3].Payload), "ghp_a") {
				t.Errorf("%+v\n%s", list[2], list[3].Payload)
			}
			if list[7].Consent != asked.Confirmation || list[11].Reason != "it ran without an approval" || len(task.Pending) > 0 {
				t.Errorf("consent %q, reason %q, pending %v", list[7].Consent, list[11].Reason, task.Pending)
			}
			if a := k.c.send("DELETE", "/v1/sessions/a", ""); a.status >= 300 {
				t.Errorf("%d %s", a.status, a.body)
			}
			if a := k.c.send("GET", "/v1/sessions/a", ""); a.status < 400 {
				t.Errorf("deleted, and there is %s", a.body)
			}
			if _, task := k.chain("a"); task.State != tasks.Cancelled {
				t.Errorf("deleted: %+v", task)
			}
			if err := k.shut(); err != nil {
				t.Error(err)
			}
		})
	}
}
