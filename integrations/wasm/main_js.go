//go:build js

package main

import (
	"syscall/js"

	"github.com/gbt-policy/gbt/integrations/wasm/engine"
)

// main gives the page the function gbt(line: string): string and keeps it.
func main() {
	var e engine.Engine
	js.Global().Set("gbt", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) != 1 || args[0].Type() != js.TypeString {
			return js.Null()
		}
		return string(e.Do([]byte(args[0].String())))
	}))
	if ready := js.Global().Get("gbtReady"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
	select {}
}
