// Package logs stands below internal: no embedder sees it.
package logs

// Result is a crowded name.
type Result struct{}
