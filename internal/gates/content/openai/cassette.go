package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Cassette is recorded exchanges with a server: a transport that answers from
// what it holds, and records what it does not hold if it has a Server to ask.
// It keeps no header, so no key. Its JSON form is an indented array; it belongs
// to one goroutine.
type Cassette struct {
	Server    http.RoundTripper // nil: only what is recorded is answered
	Exchanges []Exchange
}

// Exchange is one request and its answer.
type Exchange struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body"`
	Status int             `json:"status"`
	Answer string          `json:"answer"`
}

// ErrNotRecorded is a request that a cassette does not hold.
var ErrNotRecorded = errors.New("request is not on the cassette")

// ReadCassette reads recorded exchanges.
func ReadCassette(data []byte) (*Cassette, error) {
	c := &Cassette{}
	if err := json.Unmarshal(data, &c.Exchanges); err != nil {
		return nil, fmt.Errorf("cassette: %w", err)
	}
	return c, nil
}

// Bytes returns the cassette's JSON.
func (c *Cassette) Bytes() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	err := enc.Encode(c.Exchanges)
	return b.Bytes(), err
}

// RoundTrip answers a request.
func (c *Cassette) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		defer req.Body.Close()
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	for i := range c.Exchanges {
		if e := &c.Exchanges[i]; e.Method == req.Method && e.Path == req.URL.Path && sameJSON(e.Body, body) {
			return response(req, e), nil
		}
	}
	if c.Server == nil {
		return nil, fmt.Errorf("%s %s: %w", req.Method, req.URL.Path, ErrNotRecorded)
	}
	return c.record(req, body)
}

func (c *Cassette) record(req *http.Request, body []byte) (*http.Response, error) {
	again := req.Clone(req.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	res, err := c.Server.RoundTrip(again)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	c.Exchanges = append(c.Exchanges, Exchange{Method: req.Method, Path: req.URL.Path, Body: body, Status: res.StatusCode, Answer: string(answer)})
	return response(req, &c.Exchanges[len(c.Exchanges)-1]), nil
}

// sameJSON compares bodies as they were sent, whatever indentation a cassette
// has been given.
func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

func response(req *http.Request, e *Exchange) *http.Response {
	return &http.Response{
		Status: fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)), StatusCode: e.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader([]byte(e.Answer))), ContentLength: int64(len(e.Answer)), Request: req,
	}
}
