// Package docs holds documents that the programs carry inside them.
//
// What belongs here: what is written for users and for those who change the
// code, and the test that requirements cited in comments have an entry. What
// never does: code that does something, figures (they stand beside the command
// that prints them), and formats, which stand in the room that reads them.
package docs

import _ "embed"

// OpenAPI is the OpenAPI 3.1 document of `gbt serve`.
//
//go:embed openapi.yaml
var OpenAPI string
