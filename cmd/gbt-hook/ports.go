package main

import (
	"fmt"
	"strings"
)

// maxSockets bounds what is read of the list of sockets.
const maxSockets = 4 << 20

// socketLists are where Linux lists its TCP sockets (proc_pid_net(5)); other systems have no
// such files, and there nobody knows.
var socketLists = [...]string{"/proc/net/tcp", "/proc/net/tcp6"}

// freePort says whether no socket of this machine listens on a TCP port.
func freePort(port uint16) bool {
	looked := false
	for _, name := range socketLists {
		text, whole := readSome(name, maxSockets)
		if !whole {
			return false
		}
		for line := range strings.Lines(text) {
			f := strings.Fields(line)
			if len(f) < 4 || f[0] == "sl" {
				looked = looked || len(f) > 0
				continue
			}
			if f[3] == "0A" && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) { // TCP_LISTEN
				return false
			}
		}
	}
	return looked
}
