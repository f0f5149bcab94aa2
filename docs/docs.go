// Package docs holds documents that the programs carry inside them.
package docs

import _ "embed"

// OpenAPI is the OpenAPI 3.1 document of `gbt serve`.
//
//go:embed openapi.yaml
var OpenAPI string
