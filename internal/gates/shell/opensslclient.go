package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// Options of openssl-s_client(1), OpenSSL 3.0: those without a value, those whose value is no
// file and no address, those that name a file, and those that say where it connects. Any other
// asks.
const (
	tlsFlags = "4 6 ct noct fallback_scsv build_chain no-CAfile no-CApath no-CAstore dane_ee_no_namechecks reconnect crlf quiet ign_eof no_ign_eof brief prexit showcerts debug msg nbio_test state " +
		"security_debug security_debug_verbose trace nocommands noservername tlsextdebug ignore_unexpected_eof status async nbio tls1 tls1_1 tls1_2 tls1_3 dtls timeout dtls1 dtls1_2 enable_pha " +
		"no_ssl3 no_tls1 no_tls1_1 no_tls1_2 no_tls1_3 bugs no_comp comp no_ticket serverpref legacy_renegotiation client_renegotiation no_renegotiation legacy_server_connect no_resumption_on_reneg no_legacy_server_connect " +
		"allow_no_dhe_kex prioritize_chacha strict no_middlebox no_etm verify_return_error verify_quiet ignore_critical issuer_checks crl_check crl_check_all policy_check explicit_policy x509_strict extended_crl partial_chain no_alt_chains no_check_time trusted_first"
	tlsValues = "maxfraglen max_send_frag split_send_frag max_pipelines read_buf certform keyform nameopt verify verify_depth verify_hostname verify_email verify_ip verify_name attime purpose dane_tlsa_domain dane_tlsa_rrdata name xmpphost starttls " +
		"servername serverinfo alpn mtu nextprotoneg use_srtp sigalgs client_sigalgs groups curves named_curve cipher ciphersuites min_protocol max_protocol record_padding"
	tlsReads  = "cert CAfile CApath cert_chain requestCAfile key sess_in"
	tlsWrites = "sess_out msgfile keylogfile"
	tlsPlaces = "connect proxy"
)

// tlsClient records where openssl-s_client(1) connects. What it reads from its input it sends.
func (m *machine) tlsClient(args []string) {
	host, port, places := "", "", 0
	at := func(place string) {
		if places++; strings.ContainsAny(place, "/@?#\\") { // no HOST:PORT, and something else in an address
			m.escape("openssl s_client " + place)
		}
		m.url(effect.OpConnect, place, "")
	}
	for i := 0; i < len(args); i++ {
		name, dashed := strings.CutPrefix(args[i], "-")
		if !dashed {
			at(args[i])
			continue
		}
		name = strings.TrimPrefix(name, "-")
		if hasWord(tlsFlags, name) {
			continue
		}
		value := ""
		if i++; i < len(args) {
			value = args[i]
		}
		switch {
		case hasWord(tlsPlaces, name):
			at(value)
		case name == "host":
			host = value
		case name == "port":
			port = value
		case hasWord(tlsWrites, name):
			m.write(value, effect.OpCreate)
		case hasWord(tlsReads, name):
			m.read(value)
		case !hasWord(tlsValues, name) || mark.Has(name):
			m.escape("openssl s_client -" + name)
		}
	}
	if places == 0 && (host != "" || port != "") {
		at(host + ":" + port)
	} else if places == 0 || host != "" || port != "" { // without a place it is this machine's port 4433
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpConnect, Resource: "openssl s_client"})
	}
}
