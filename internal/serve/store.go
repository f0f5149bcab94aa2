package serve

import (
	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/internal/stores"
	"github.com/gbt-policy/gbt/internal/stores/named"
)

// OpenStore opens the store that a name stands for: a database (named.Of), with states
// and receipts, or a folder, which has none.
func OpenStore(name string) (protocol.Store, func() error, error) {
	if kind, _ := named.Of(name); kind != "" {
		k, err := openKept(name)
		if err != nil {
			return nil, nil, err
		}
		return k, k.close, nil
	}
	s, err := stores.OpenDir(name)
	if err != nil {
		return nil, nil, err
	}
	return s, s.Close, nil
}
