package main

import (
	"fmt"
	"strings"
)

// maxSockets bounds what is read of the list of sockets.
const maxSockets = 4 << 20

// socketLists are where Linux lists its sockets (proc_pid_net(5)); other systems have no
// such files, and there nobody knows.
var socketLists = [...]string{"/proc/net/tcp", "/proc/net/tcp6", "/proc/net/udp", "/proc/net/udp6"}

// freePort says whether no socket of this machine has a port, as its own or as that which it
// talks to: all of them are found by that port.
func freePort(port uint16) bool {
	sockets, looked := socketsOn(port)
	return looked && len(sockets) == 0
}

// socketsOn are the sockets that have a port, by the numbers of their files: each with a one.
// One that no process has any more has the number zero.
func socketsOn(port uint16) (sockets map[string]int, looked bool) {
	sockets = map[string]int{}
	for _, name := range socketLists {
		text, whole := readSome(name, maxSockets)
		if !whole {
			return nil, false
		}
		for line := range strings.Lines(text) {
			f := strings.Fields(line)
			if len(f) < 4 || f[0] == "sl" {
				looked = looked || len(f) > 0
				continue
			}
			if hex := fmt.Sprintf(":%04X", port); f[3] != "06" && (strings.HasSuffix(f[1], hex) || strings.HasSuffix(f[2], hex)) { // but TCP_TIME_WAIT, which is no process's
				inode := "0"
				if len(f) > 9 {
					inode = f[9]
				}
				sockets[inode] = 1
			}
		}
	}
	return sockets, looked
}
