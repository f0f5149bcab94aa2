// Package testdata is no product.
package testdata

// Call is not counted.
type Call struct{}
