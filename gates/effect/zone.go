package effect

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// Where says where a resolved path lies and what is special about it.
func (p *Places) Where(path string) (z Zone, sensitive, protected bool) {
	if path == "" {
		return ZoneUnknown, false, false
	}
	if path[0] != '/' {
		return p.whereMarked(path)
	}
	if i := markAt(path); i >= 0 {
		return p.wherePrefix(path, i)
	}
	z = p.zone(path)
	sensitive = names.Sensitive(path) || z == ZoneHome && p.holdsLogin(path)
	if z == ZoneKept {
		return z, sensitive, !p.keptFor(path).Write
	}
	protected = z != ZoneWorkspace && z != ZoneTemp && z != ZoneStream || names.Guarded(p.inRoot(path))
	return z, sensitive && !(z == ZoneWorkspace && names.PrivateAtHome(path)), protected
}

// inRoot returns the part of path below its workspace root, or path itself.
func (p *Places) inRoot(path string) string {
	for _, r := range p.Roots {
		if mark.Under(path, r) {
			return strings.TrimPrefix(path[len(r):], "/")
		}
	}
	return path
}

func markAt(path string) int {
	for i := 0; i < len(path); i++ {
		if path[i] <= mark.Inside {
			return i
		}
	}
	return -1
}

// whereMarked judges a path that starts with a marker. What the caller's
// environment supplies may be empty, so the rest is judged as a path of its
// own too: "$x/etc/shadow" reads /etc/shadow wherever x is not set.
func (p *Places) whereMarked(path string) (Zone, bool, bool) {
	rest := strings.TrimLeft(path, "\x01")
	switch {
	case path[0] == mark.Unknown || strings.IndexByte(path, mark.Unknown) >= 0:
		return ZoneUnknown, names.SensitiveTail(path), true
	case path[0] == mark.Inside:
		return ZoneWorkspace, names.SensitiveTail(path), strings.Contains(path, "/..") || len(path) > 1 && names.Guarded(path[1:])
	case rest != "" && rest[0] == '/' && !mark.Has(rest):
		_, s, _ := p.Where(mark.Clean(rest))
		return ZoneCaller, s, true
	}
	return ZoneCaller, names.SensitiveTail(path), true
}

// wherePrefix judges a path whose part before byte i is known. Globs stay in
// the directory that the known part names; a computed part may hold dot-dot.
func (p *Places) wherePrefix(path string, i int) (z Zone, sensitive, protected bool) {
	if strings.IndexByte(path[i:], mark.Unknown) >= 0 {
		return ZoneUnknown, names.SensitiveTail(path), true
	}
	dir := path[:strings.LastIndexByte(path[:i], '/')]
	if dir == "" {
		dir = "/"
	}
	sensitive = names.SensitiveGlob(path) || names.SensitiveTail(path)
	if strings.Contains(path[i:], "/..") || globUp(path) {
		return ZoneOutside, sensitive, true
	}
	z = p.zone(dir)
	if dir == "/" {
		z = ZoneSystem
	}
	local := z == ZoneWorkspace || z == ZoneTemp
	if z == ZoneKept && p.Open(path) && ofGit(path[i:]) {
		return ZoneHome, sensitive, true
	}
	if z == ZoneKept {
		return z, sensitive, !p.keptFor(dir).Write
	}
	return z, sensitive, !local || names.GuardedGlob(p.inRoot(path))
}

func (p *Places) zone(path string) Zone {
	for _, r := range p.Roots {
		if mark.Under(path, r) {
			return ZoneWorkspace
		}
	}
	if p.keptFor(path).Dir != "" {
		return ZoneKept
	}
	if onDrive(path) {
		return p.driveZone(path)
	}
	if z, ok := longestPrefix(path); ok {
		if z == ZoneSystem && mark.Under(path, p.Home) && p.Home != "/" {
			return ZoneHome
		}
		return z
	}
	if mark.Under(path, p.Home) {
		return ZoneHome
	}
	return ZoneOutside
}

// zonePrefix maps a directory to its zone.
type zonePrefix struct {
	dir  string
	zone Zone
}

// zonePrefixes follow the Filesystem Hierarchy Standard 3.0, for what the kernel tells of
// the machine proc(5) and sysfs(5), and, for macOS, hier(7). The longest match wins. Sorted by directory.
var zonePrefixes = [...]zonePrefix{
	{"/", ZoneOutside},
	{"/Applications", ZonePublic},
	{"/Library", ZoneSystem},
	{"/Library/Developer", ZonePublic},
	{"/Library/Frameworks", ZonePublic},
	{"/Library/Java", ZonePublic},
	{"/System", ZoneSystem},
	{"/System/Library", ZonePublic},
	{"/Users", ZoneHome},
	{"/bin", ZonePublic},
	{"/boot", ZoneSystem},
	{"/dev", ZoneDevice},
	{"/dev/fd", ZoneStream},
	{"/dev/full", ZoneStream},
	{"/dev/null", ZoneStream},
	{"/dev/random", ZoneStream},
	{"/dev/shm", ZoneTemp},
	{"/dev/stderr", ZoneStream},
	{"/dev/stdin", ZoneStream},
	{"/dev/stdout", ZoneStream},
	{"/dev/tty", ZoneStream},
	{"/dev/urandom", ZoneStream},
	{"/dev/zero", ZoneStream},
	{"/etc", ZoneSystem},
	{"/etc/alternatives", ZonePublic},
	{"/etc/bash_completion.d", ZonePublic},
	{"/etc/ca-certificates", ZonePublic},
	{"/etc/debian_version", ZonePublic},
	{"/etc/host.conf", ZonePublic},
	{"/etc/hostname", ZonePublic},
	{"/etc/hosts", ZonePublic},
	{"/etc/issue", ZonePublic},
	{"/etc/ld.so.conf", ZonePublic},
	{"/etc/ld.so.conf.d", ZonePublic},
	{"/etc/locale.conf", ZonePublic},
	{"/etc/locale.gen", ZonePublic},
	{"/etc/localtime", ZonePublic},
	{"/etc/lsb-release", ZonePublic},
	{"/etc/magic", ZonePublic},
	{"/etc/mime.types", ZonePublic},
	{"/etc/nsswitch.conf", ZonePublic},
	{"/etc/os-release", ZonePublic},
	{"/etc/paths", ZonePublic},
	{"/etc/paths.d", ZonePublic},
	{"/etc/protocols", ZonePublic},
	{"/etc/redhat-release", ZonePublic},
	{"/etc/resolv.conf", ZonePublic},
	{"/etc/services", ZonePublic},
	{"/etc/shells", ZonePublic},
	{"/etc/ssl/certs", ZonePublic},
	{"/etc/ssl/openssl.cnf", ZonePublic},
	{"/etc/timezone", ZonePublic},
	{"/home", ZoneHome},
	{"/lib", ZonePublic},
	{"/lib32", ZonePublic},
	{"/lib64", ZonePublic},
	{"/media", ZoneOutside},
	{"/mnt", ZoneOutside},
	{"/nix/store", ZonePublic},
	{"/opt", ZonePublic},
	{"/private/tmp", ZoneTemp},
	{"/proc", ZoneSystem},
	{"/proc/1/cgroup", ZonePublic},
	{"/proc/buddyinfo", ZonePublic},
	{"/proc/cgroups", ZonePublic},
	{"/proc/cpuinfo", ZonePublic},
	{"/proc/crypto", ZonePublic},
	{"/proc/devices", ZonePublic},
	{"/proc/diskstats", ZonePublic},
	{"/proc/filesystems", ZonePublic},
	{"/proc/interrupts", ZonePublic},
	{"/proc/loadavg", ZonePublic},
	{"/proc/locks", ZonePublic},
	{"/proc/meminfo", ZonePublic},
	{"/proc/misc", ZonePublic},
	{"/proc/modules", ZonePublic},
	{"/proc/mounts", ZonePublic},
	{"/proc/net/dev", ZonePublic},
	{"/proc/net/route", ZonePublic},
	{"/proc/net/snmp", ZonePublic},
	{"/proc/net/sockstat", ZonePublic},
	{"/proc/partitions", ZonePublic},
	{"/proc/pressure", ZonePublic},
	{"/proc/self/cgroup", ZonePublic},
	{"/proc/self/fd", ZoneStream},
	{"/proc/self/io", ZonePublic},
	{"/proc/self/limits", ZonePublic},
	{"/proc/self/mountinfo", ZonePublic},
	{"/proc/self/mounts", ZonePublic},
	{"/proc/self/oom_score", ZonePublic},
	{"/proc/self/sched", ZonePublic},
	{"/proc/self/stat", ZonePublic},
	{"/proc/self/statm", ZonePublic},
	{"/proc/self/status", ZonePublic},
	{"/proc/softirqs", ZonePublic},
	{"/proc/stat", ZonePublic},
	{"/proc/swaps", ZonePublic},
	{"/proc/sys/fs", ZonePublic},
	{"/proc/sys/kernel/core_pattern", ZonePublic},
	{"/proc/sys/kernel/hostname", ZonePublic},
	{"/proc/sys/kernel/osrelease", ZonePublic},
	{"/proc/sys/kernel/ostype", ZonePublic},
	{"/proc/sys/kernel/pid_max", ZonePublic},
	{"/proc/sys/kernel/random", ZonePublic},
	{"/proc/sys/kernel/threads-max", ZonePublic},
	{"/proc/sys/net", ZonePublic},
	{"/proc/sys/user", ZonePublic},
	{"/proc/sys/vm", ZonePublic},
	{"/proc/uptime", ZonePublic},
	{"/proc/version", ZonePublic},
	{"/proc/vmstat", ZonePublic},
	{"/proc/zoneinfo", ZonePublic},
	{"/root", ZoneSystem},
	{"/run", ZoneSystem},
	{"/sbin", ZonePublic},
	{"/srv", ZoneOutside},
	{"/sys", ZoneSystem},
	{"/sys/block", ZonePublic},
	{"/sys/bus", ZonePublic},
	{"/sys/class", ZonePublic},
	{"/sys/devices", ZonePublic},
	{"/sys/devices/system", ZonePublic},
	{"/sys/fs/cgroup", ZonePublic},
	{"/sys/kernel/mm", ZonePublic},
	{"/sys/module", ZonePublic},
	{"/tmp", ZoneTemp},
	{"/usr", ZonePublic},
	{"/usr/local/etc", ZoneSystem},
	{"/var", ZoneSystem},
	{"/var/folders", ZoneTemp},
	{"/var/lib/dpkg", ZonePublic},
	{"/var/tmp", ZoneTemp},
}

// longestPrefix finds the longest listed directory that path is or lies below,
// cutting one element at a time.
func longestPrefix(path string) (Zone, bool) {
	for cut := path; ; {
		if i, ok := slices.BinarySearchFunc(zonePrefixes[:], cut, zonePrefix.compare); ok {
			return zonePrefixes[i].zone, cut != "/"
		}
		i := strings.LastIndexByte(cut, '/')
		if i <= 0 {
			return ZoneOutside, false
		}
		cut = cut[:i]
	}
}

func (p zonePrefix) compare(dir string) int { return strings.Compare(p.dir, dir) }

// globUp says whether an element of a pattern can match dot-dot on the way to
// something else, or aims at it: .?/x and .*/x lead up in shells that do not
// skip it (bash before 5.2, dash, ksh).
func globUp(path string) bool {
	for rest := path; rest != ""; {
		elem, more := rest, ""
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			elem, more = rest[:i], rest[i+1:]
		}
		if strings.HasPrefix(elem, ".") && mark.Has(elem) && mark.Match(elem, "..") && (more != "" || len(elem) == 2 && elem[1] == mark.One) {
			return true
		}
		rest = more
	}
	return false
}
