package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// openssl judges openssl(1)'s subcommands: local ones by their -in and -out,
// the ones that connect, and those that load engines.
func (m *machine) openssl(args []string, in data, want bool) data {
	m.spawn(effect.OpRun, "openssl")
	if len(args) == 0 {
		m.spawn(effect.OpInteractive, "openssl")
		return unknown
	}
	switch args[0] {
	case "s_client", "s_server", "ocsp", "s_time", "cmp", "ts":
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpConnect, Resource: "openssl " + args[0]})
	case "req", "ca", "engine", "list", "version", "ciphers", "rand", "prime", "speed", "help":
	}
	decode, b64 := false, args[0] == "base64"
	for i, a := range args {
		v := ""
		if i+1 < len(args) {
			v = args[i+1]
		}
		switch trimPrefix(a, "-") {
		case "in", "-in":
			m.opensslInput(args[0], trimPrefix(v, "file:"))
		case "-inkey", "inkey", "key", "CAfile", "cert", "config", "-config", "kfile", "passin", "extfile", "untrusted":
			m.read(trimPrefix(v, "file:"))
		case "out", "-out", "keyout", "writerand":
			m.write(v, effect.OpCreate)
		case "engine", "provider", "provider-path", "-engine", "-provider":
			m.escape("openssl " + a)
		case "d":
			decode = true
		case "base64", "a":
			b64 = true
		}
		if mark.Has(a) && strings.HasPrefix(a, "-") {
			m.opaque(effect.OpComputed, "computed option of openssl")
		}
	}
	if args[0] == "rand" && slices.ContainsFunc(args, func(a string) bool { return bytesOf(a) >= hugeBytes }) {
		return m.randoms(args)
	}
	if want && decode && b64 && in.known() {
		if out, ok := decode64(in.text); ok {
			return data{text: cleanBytes(out)}
		}
	}
	return unknown
}

// randoms records that openssl-rand(1) writes more than a disk holds.
func (m *machine) randoms(args []string) data {
	for i, a := range args[:len(args)-1] {
		if strings.TrimLeft(a, "-") == "out" {
			m.fills(args[i+1])
			return unknown
		}
	}
	return data{text: unknown.text, endless: true}
}

// makeOptions are those of GNU make(1).
var makeOptions = getopt{
	valued: "CfIoWE", attached: "jlO",
	longs: "always-make assume-new= assume-old= check-symlink-times debug? directory= dry-run environment-overrides eval= file= help ignore-errors include-dir= jobs? just-print keep-going load-average? makefile= max-load? new-file= no-builtin-rules no-builtin-variables no-keep-going no-print-directory no-silent old-file= output-sync? print-data-base print-directory question quiet recon shuffle? silent stop touch trace version warn-undefined-variables what-if=",
}

// opensslInput reads the input of a subcommand of openssl. x509 and crl print
// certificates and lists of them, and never the key that a file may hold too.
func (m *machine) opensslInput(sub, word string) {
	full := m.p.Resolve(m.cwd, word)
	z, _, _ := m.p.Where(full)
	if (sub == "x509" || sub == "crl") && z == effect.ZoneWorkspace && !mark.Has(full) {
		m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: z, Resource: show(full)})
		return
	}
	m.read(word)
}
