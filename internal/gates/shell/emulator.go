package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file judges the options of QEMU that say what a machine is made of (qemu(1)).
//
// What belongs here: which devices leave the guest inside of the emulator. What never
// does: which options there are (the table of qemu-system).

// deviceKinds are what an option of QEMU may begin with: places for output that are this
// terminal or nothing, displays that no other machine sees, the network of an ordinary
// program, and devices that are no part of this machine.
const deviceKinds = "cocoa curses e1000 e1000e edu gtk i6300esb ich9-ahci ide-cd ide-hd intel-hda isa-debug-exit loader mon:stdio nec-usb-xhci nic none null " +
	"nvme pcie-root-port pvpanic qemu-xhci ramfb rtl8139 scsi-cd scsi-hd sd-card sdl stdio tulip usb-ehci usb-kbd usb-mouse usb-tablet user vc"

// deviceNames are properties whose value is a name, a number or a switch: nothing of this
// machine.
const deviceNames = "accel addr aes-key-wrap arg bus cache cpu-num data data-be data-len discard drive enable force-raw format gic-version gl gpu highmem hpet id if index iobase iommu iosize ipv4 ipv6 its kernel_irqchip kernel-irqchip " +
	"mac media model mte netdev node pic pit readonly restrict ro romfile-size secure serial show-cursor smm snapshot split-wx target tb-size thread type unit usb userspace virtualization vmport werror xres yres zoom-to-fit"

// device judges the value of an option of QEMU, a kind and properties of it, or the file
// of a medium, which the guest starts from and may change. A colon in its name is a protocol.
func (r *toolRun) device(name, value string) {
	name = strings.TrimLeft(name, "-")
	if name == "" || hasWord("hda hdb hdc hdd sd mtdblock pflash cdrom", name) {
		value = "file=" + value
	}
	for i, part := range strings.Split(value, ",") {
		key, v, has := cutAt(part, "=")
		switch {
		case key == "file" && v != "" && firstByte(v, ':') < 0:
			r.m.script(v)
			if name != "cdrom" {
				r.m.write(v, effect.OpModify)
			}
		case i == 0 && !has && (hasWord(deviceKinds, key) || plainName(key) && (hasWord("M machine accel", name) || name == "device" && strings.HasPrefix(key, "virtio-"))):
		case !has || !hasWord(deviceNames, key) || strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:") != "":
			r.m.escape(r.t.name + " " + part)
		}
	}
}

// emulates asks about what an emulator reads from its input: behind Ctrl-A c stand commands
// to itself, of which one runs any program (migrate "exec:...").
func (r *toolRun) emulates(in data) {
	if !in.tty && in.text != "" && firstByte(r.t.operands, roleDevice) >= 0 {
		r.m.escape(r.t.name + " runs its input")
	}
}
