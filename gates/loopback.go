package gates

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// loopback says whether a connection goes to this machine: localhost and the names below it always do
// (RFC 6761, 6.3). It is not inlined, for the size of programs.
//
//go:noinline
func loopback(n effect.Net) bool {
	return n.Domain == "localhost" || strings.HasSuffix(n.Domain, ".localhost") || n.IP == "127.0.0.1" || n.IP == "::1"
}

// controls says whether a call to this machine goes to a port by which whoever
// connects runs programs on it or on its cluster (Docker, kubelet, the Kubernetes
// API, etcd, Consul, Nomad, Vault, the administration of Envoy), or sends to one
// by which a database takes statements over HTTP (ClickHouse, CouchDB, Neo4j,
// ArangoDB, Solr, Elasticsearch) or as plain lines (Redis, memcached). The numbers
// are the defaults of their manuals and of IANA's service names; ports that
// developers also use for servers of their own (8001, 8086) are left out.
//
// Of a protocol that is neither HTTP's nor a database's own nobody knows what it makes the
// one that listens there do: gopher and dict send bytes as they are (curl(1)).
func controls(e *Effect) bool {
	if !plainSchemes[e.Net.Scheme] {
		return true
	}
	switch e.Net.Port {
	case 2375, 2376, 2379, 2380, 4243, 4646, 6443, 8200, 8500, 10250, 15000:
		return e.Op != effect.OpProbe
	case 5984, 6379, 7474, 8123, 8529, 8983, 9200, 11211:
		return e.Op != effect.OpProbe && e.Op != effect.OpFetch
	}
	return false
}

// plainSchemes are protocols by which servers of development are asked and databases are
// told statements, which are judged by themselves; none is that of a bare host and port.
var plainSchemes = map[string]bool{
	"": true, "http": true, "https": true, "ws": true, "wss": true, "postgres": true, "postgresql": true, "mysql": true, "mariadb": true, "mongodb": true, "redis": true, "rediss": true,
}
