//go:build wasip1

package main

import (
	"unsafe"

	"github.com/gbt-policy/gbt/integrations/wasm/engine"
)

// instance is the state of this instance of the module: a host that wants two
// makes two. The buffers are kept here so that the collector does not free what
// the host writes to and reads from.
var instance struct {
	engine engine.Engine
	in     []byte
	out    []byte
}

// maxRequest bounds a request: a policy in base64.
const maxRequest = 1 << 29

// alloc returns the address of n bytes for a request, 0 if that is too many.
//
//go:wasmexport gbt_alloc
func alloc(n int32) int32 {
	if n <= 0 || n > maxRequest {
		return 0
	}
	instance.in = make([]byte, n)
	return int32(uintptr(unsafe.Pointer(&instance.in[0])))
}

// call answers the request in the bytes of gbt_alloc. Its result is the address
// of the answer, above 32 bits of its length; 0 where there is none.
//
//go:wasmexport gbt_call
func call() int64 {
	instance.out = instance.engine.Do(instance.in)
	instance.in = nil
	if len(instance.out) == 0 {
		return 0
	}
	return int64(uintptr(unsafe.Pointer(&instance.out[0])))<<32 | int64(len(instance.out))
}

// main is not called: the module is a library.
func main() {}
