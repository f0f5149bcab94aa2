package main

import (
	"net"
	"runtime"
	"testing"
)

// TestFreePort: a port is free where no socket listens on it, and where nobody knows it is not.
func TestFreePort(t *testing.T) {
	for _, network := range []string{"tcp4", "tcp6"} {
		l, err := net.Listen(network, map[string]string{"tcp4": "127.0.0.1:0", "tcp6": "[::1]:0"}[network])
		if err != nil {
			continue // this machine has none of that kind
		}
		port := uint16(l.Addr().(*net.TCPAddr).Port)
		if freePort(port) {
			t.Errorf("%s: one that is served is free", network)
		}
		l.Close()
		if free := freePort(port); free != (runtime.GOOS == "linux") {
			t.Errorf("%s: one that is not served: %v", network, free)
		}
	}
	if udp, err := net.ListenPacket("udp4", "127.0.0.1:0"); err == nil {
		if freePort(uint16(udp.LocalAddr().(*net.UDPAddr).Port)) {
			t.Error("one that datagrams go to is free")
		}
		udp.Close()
	}
	was := socketLists
	defer func() { socketLists = was }()
	socketLists = [4]string{"/nowhere/a", "/nowhere/b", "/nowhere/c", "/nowhere/d"}
	if freePort(1) {
		t.Error("nobody knows, and it is free")
	}
}
