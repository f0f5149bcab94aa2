package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// crossTools are programs of the GNU and LLVM toolchains that are installed for another
// machine under their name behind that machine's (GNU coding standards, "Configuration";
// the manuals of GCC and Binutils, "target"). Sorted.
const crossTools = "addr2line ar as c++ c++filt clang clang++ cpp g++ gcc gcov gfortran ld nm objcopy objdump ranlib readelf size strings strip"

// crossMachines are the processors that begin the name of such a machine (config.sub of
// GNU's config). Sorted.
const crossMachines = "aarch64 arm armv7 avr i386 i586 i686 m68k mips mips64 mipsel msp430 or1k powerpc powerpc64 powerpc64le ppc64le riscv32 riscv64 rx s390x sh sparc wasm32 x86_64 xtensa"

// crossTool is the program that one for another machine is, or nil.
func crossTool(name string) *tool {
	i := lastByte(name, '-')
	if i < 0 || !plainName(strings.ReplaceAll(strings.ReplaceAll(name, "+", ""), ".", "")) {
		return nil
	}
	machine, _, _ := cutAt(name, "-")
	if !mark.Among(crossMachines, machine) || !mark.Among(crossTools, name[i+1:]) {
		return nil
	}
	return lookupTool(name[i+1:])
}
