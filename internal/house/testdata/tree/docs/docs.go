// Package docs is in no layer.
package docs
