package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges the flags that Cargo hands to rustc, rustdoc and Miri through RUSTFLAGS,
// RUSTDOCFLAGS and MIRIFLAGS: those pass that only say how code is made, checked or
// documented. Whatever names a file, a linker or a library to load is in no list. Opened:
// rustc --help -v, rustc -C help and rustdoc --help of 1.95.0, and Miri's README at 030cbbb1.

// rustCodegen are options of -C, rustUnstable those of -Z (a star stands for the rest of
// the name). Sorted.
var (
	rustCodegen = "code-model codegen-units collapse-macro-debuginfo control-flow-guard debug-assertions debuginfo dwarf-version embed-bitcode force-frame-pointers force-unwind-tables " +
		"instrument-coverage jump-tables link-dead-code lto no-prepopulate-passes no-redzone no-vectorize-loops no-vectorize-slp opt-level overflow-checks panic prefer-dynamic " +
		"relocation-model relro-level rpath split-debuginfo strip symbol-mangling-version target-cpu target-feature"
	rustUnstable = "macro-backtrace miri-address-reuse-cross-thread-rate miri-address-reuse-rate miri-backtrace miri-compare-exchange-weak-failure-rate miri-deterministic-concurrency " +
		"miri-deterministic-floats miri-disable-alignment-check miri-disable-data-race-detector miri-disable-isolation miri-disable-leak-backtraces miri-disable-stacked-borrows " +
		"miri-disable-validation miri-disable-weak-memory-emulation miri-fixed-schedule miri-force-intrinsic-fallback miri-ignore-leaks miri-isolation-error miri-many-seeds " +
		"miri-many-seeds-keep-going miri-max-extra-rounding-error miri-mute-stdout-stderr miri-no-extra-rounding-error miri-no-short-fd-operations miri-num-cpus " +
		"miri-permissive-provenance miri-preemption-rate miri-provenance-gc miri-recursive-validation miri-report-progress miri-seed miri-strict-provenance " +
		"miri-symbolic-alignment-check miri-tree-borrows miri-user-relevant-crates randomize-layout sanitizer threads time-passes unstable-options"
	rustLints   = []string{"--allow", "--deny", "--forbid", "--force-warn", "--warn", "-A", "-D", "-F", "-W"}
	rustWords   = []string{"--document-hidden-items", "--document-private-items", "--enable-index-page", "--generate-link-to-definition", "--show-type-layout", "--sort-modules-by-appearance", "-O", "-g", "-v"}
	rustValues  = []string{"--cap-lints", "--cfg", "--check-cfg", "--color", "--crate-version", "--default-theme", "--edition"}
	rustLinkers = []string{"link-arg=-fuse-ld=bfd", "link-arg=-fuse-ld=gold", "link-arg=-fuse-ld=lld", "link-arg=-fuse-ld=mold", "link-arg=-s"}
)

// rustFlags says whether all words of such a variable are known.
func rustFlags(value string) bool {
	words := strings.Fields(value)
	if mark.Has(value) {
		return false
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if isAmong(rustWords, w) {
			continue
		}
		option, v, attached := rustOption(w)
		if !attached {
			if i++; i == len(words) {
				return false
			}
			v = words[i]
		}
		name, _, _ := cutAt(v, "=")
		switch {
		case option == "-C" || option == "--codegen":
			if !mark.Among(rustCodegen, name) && !isAmong(rustLinkers, v) {
				return false
			}
		case option == "-Z":
			if !mark.Among(rustUnstable, name) {
				return false
			}
		case isAmong(rustLints, option), isAmong(rustValues, option):
		default:
			return false
		}
		if isAmong(rustLinkers, v) {
			continue
		}
		if strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+,:.=\"()") != "" {
			return false
		}
	}
	return true
}

// rustOption splits a word into an option and a value that it has attached: -Dwarnings,
// --cfg=docsrs.
func rustOption(w string) (option, value string, attached bool) {
	if strings.HasPrefix(w, "--") {
		return cutAt(w, "=")
	}
	if len(w) < 2 || w[0] != '-' {
		return w, "", true
	}
	return w[:2], w[2:], len(w) > 2
}
