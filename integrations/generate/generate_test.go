package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/docs"
	"github.com/gbt-policy/gbt/internal/protocol"
)

// TestFresh says when a client is not what the document says.
func TestFresh(t *testing.T) {
	doc, err := read(docs.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 2 || len(doc.schemas) < 30 {
		t.Fatalf("%d files of %d schemas", len(files), len(doc.schemas))
	}
	for name, write := range files {
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, write(doc)) {
			t.Errorf("%s is not what docs/openapi.yaml says: run go generate ./integrations/generate (%v)", name, err)
		}
	}
}

// TestOperations gives clients the operations that the server has.
func TestOperations(t *testing.T) {
	doc, err := read(docs.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, o := range doc.operations {
		have[o.name] = o.method + " " + o.path
	}
	for _, op := range protocol.Operations() {
		if have[op.Name] != op.Method+" "+op.Path {
			t.Errorf("%s is %q in the document", op.Name, have[op.Name])
		}
		delete(have, op.Name)
	}
	if len(have) > 0 {
		t.Errorf("not in the server: %v", have)
	}
}

// TestNames refuses an object that no client could name.
func TestNames(t *testing.T) {
	text := strings.Replace(docs.OpenAPI, `payload: { $ref: "#/components/schemas/Payload" }`, `payload: { type: object, properties: { len: { type: integer } } }`, 1)
	if text == docs.OpenAPI {
		t.Fatal("the document has no such line")
	}
	if _, err := read(text); err == nil || !strings.Contains(err.Error(), "Effect.payload: an object without a name") {
		t.Errorf("%v", err)
	}
}
