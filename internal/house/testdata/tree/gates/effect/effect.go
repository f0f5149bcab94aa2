// Package effect is the lowest room.
package effect

// Kind is documented; Other and its fields are not.
type Kind int

type Other struct {
	Path string
	size int
}

// Each calls back.
func Each(f func(int)) { f(1) }
