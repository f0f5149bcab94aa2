package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/docs"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/traverse"
)

// learned is a small policy distilled from example logs, as a file.
var learned = sync.OnceValues(func() ([]byte, error) {
	in := logs.Open([]string{"../../examples/logs/mini-swe-agent"}, logs.Options{})
	out, err := distill.Run(context.Background(), in, distill.Options{Config: distill.DefaultConfig(), Workers: 2})
	if err != nil {
		return nil, err
	}
	return artifacts.Encode(out.Policy)
})

// world is a policy ready to be served.
func world(t testing.TB) (*traverse.Policy, artifacts.Info) {
	t.Helper()
	data, err := learned()
	if err != nil {
		t.Fatal(err)
	}
	p, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	policy, err := traverse.New(p, traverse.Options{Digest: info.Digest})
	if err != nil {
		t.Fatal(err)
	}
	return policy, *info
}

func newTestServer(t testing.TB, opt Options) *Server {
	t.Helper()
	p, info := world(t)
	opt.Info = info
	s, err := New(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// contract holds what goes over the wire to docs/openapi.yaml.
type contract struct {
	router    routers.Router
	responses int
	mu        sync.Mutex
}

var document = sync.OnceValues(func() (routers.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromData([]byte(docs.OpenAPI))
	if err != nil {
		return nil, err
	}
	doc.Servers = nil // any host
	return gorillamux.NewRouter(doc)
})

func newContract(t testing.TB) *contract {
	t.Helper()
	router, err := document()
	if err != nil {
		t.Fatal(err)
	}
	return &contract{router: router}
}

// client talks to one server and holds both sides to the contract.
type client struct {
	t     testing.TB
	url   string
	token string
	http  *http.Client
	c     *contract
}

func dial(t testing.TB, s *Server) *client {
	t.Helper()
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(ts.Close)
	return &client{t: t, url: ts.URL, token: s.opt.Token, http: ts.Client(), c: newContract(t)}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// fault is the code of the error in an answer.
func (a *answer) fault() string {
	var e struct {
		Error struct{ Code, Message string } `json:"error"`
	}
	if json.Unmarshal(a.body, &e) != nil {
		return ""
	}
	return e.Error.Code
}

func (a *answer) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(a.body, v); err != nil {
		t.Fatalf("%d %s: %v", a.status, a.body, err)
	}
}

// send sends a request whose body is as the contract has it.
func (c *client) send(method, path, body string, header ...string) *answer {
	c.t.Helper()
	return c.exchange(method, path, []byte(body), true, header...)
}

// abuse sends one whose body may be anything. The answer keeps to the contract.
func (c *client) abuse(method, path, body string, header ...string) *answer {
	c.t.Helper()
	return c.exchange(method, path, []byte(body), false, header...)
}

func (c *client) exchange(method, path string, body []byte, good bool, header ...string) *answer {
	c.t.Helper()
	req, err := http.NewRequest(method, c.url+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	out := &answer{status: res.StatusCode, header: res.Header}
	if out.body, err = io.ReadAll(res.Body); err != nil {
		c.t.Fatal(err)
	}
	c.hold(req, body, out, good)
	return out
}

// hold validates one exchange. Paths and methods that the contract does not have
// are answered with an Error.
func (c *client) hold(req *http.Request, body []byte, a *answer, good bool) {
	c.t.Helper()
	req = req.Clone(context.Background())
	req.Body = io.NopCloser(bytes.NewReader(body))
	opt := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}
	c.c.mu.Lock()
	defer c.c.mu.Unlock()
	route, params, err := c.c.router.FindRoute(req)
	if err != nil {
		if good {
			c.t.Errorf("%s %s is not in the contract: %v", req.Method, req.URL.Path, err)
		}
		if a.fault() == "" {
			c.t.Errorf("%s %s: %d %s", req.Method, req.URL.Path, a.status, a.body)
		}
		return
	}
	in := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route, Options: opt}
	if err := openapi3filter.ValidateRequest(req.Context(), in); err != nil && good {
		c.t.Errorf("request %s %s: %v", req.Method, req.URL.Path, err)
	} else if err == nil && a.fault() == "invalid-request" && !good {
		c.t.Logf("%s %s: the contract takes what the server refuses: %s", req.Method, req.URL.Path, a.body)
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: a.status, Header: a.header, Body: io.NopCloser(bytes.NewReader(a.body)), Options: opt}
	if err := openapi3filter.ValidateResponse(req.Context(), out); err != nil {
		c.t.Errorf("response %s %s %d %s: %v", req.Method, req.URL.Path, a.status, a.body, err)
	}
	c.c.responses++
}

// begin starts a session with an id.
func (c *client) begin(id string, more ...string) {
	c.t.Helper()
	a := c.send("POST", "/v1/sessions", `{"task":{"id":"`+id+`","text":"fix the failing test in the parser"`+strings.Join(more, "")+`},"env":{"cwd":"/w","roots":["/w"]}}`)
	if a.status != http.StatusCreated {
		c.t.Fatalf("start: %d %s", a.status, a.body)
	}
}

// shell is the body of a check of a command line.
func shell(command string) string {
	data, err := json.Marshal(command)
	if err != nil {
		panic(err)
	}
	return `{"call":{"tool":"bash","args":{"command":` + string(data) + `}}}`
}
