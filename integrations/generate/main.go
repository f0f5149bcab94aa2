// Generate writes what the clients take from docs/openapi.yaml: the types of what
// is sent and of what comes back, and one value for each operation. A new
// operation or field is written in the document and then here with
//
//	go generate ./integrations/generate
//
// A test says when the files are not what the document says. What a client does
// with them (sending, checking answers, the loop round an agent) is written by
// hand beside them.
//
// What belongs here: one writer for each language, from schemas, fields and
// operations to text. What never does: how a client behaves, and whatever
// docs/openapi.yaml does not say.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gbt-policy/gbt/docs"
)

//go:generate go run .

// files are the files written, from this folder, and what writes them.
var files = map[string]func(*document) []byte{
	"../python/src/gbt_policy/schema.py": python,
	"../typescript/src/schema.ts":        typescript,
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	doc, err := read(docs.OpenAPI)
	if err != nil {
		return err
	}
	for name, write := range files {
		if err := os.WriteFile(filepath.FromSlash(name), write(doc), 0o644); err != nil {
			return err
		}
	}
	return nil
}
