package effect

// Delta is the coarse change that an effect, an action or a macro makes to its
// environment (003 §C.1). DeltaUnknown is the zero value: what has not been
// classified is never taken for a read.
type Delta uint8

// The coarse changes. The artifact stores these numbers: they are never reused.
const (
	DeltaUnknown  Delta = iota
	DeltaNone           // reads, searches, thinks
	DeltaWrite          // creates or changes files or records
	DeltaDelete         // removes files or records
	DeltaRun            // runs a program or code
	DeltaSend           // sends something out: message, payment, upload
	DeltaNavigate       // moves a browser or a session elsewhere
	NumDeltas           // number of values, for range checks
)

var deltaNames = [NumDeltas]string{"unknown", "none", "write", "delete", "run", "send", "navigate"}

// String returns the delta's name as gbt show prints it.
func (d Delta) String() string {
	if d < NumDeltas {
		return deltaNames[d]
	}
	return "invalid"
}

// kindDeltas is the change that effects of a kind make. What a connection does
// hangs on its operation.
var kindDeltas = [NumKinds]Delta{
	Opaque: DeltaUnknown, Read: DeltaNone, List: DeltaNone, Write: DeltaWrite, Delete: DeltaDelete,
	Spawn: DeltaRun, Network: DeltaNavigate, Setting: DeltaRun, Signal: DeltaRun,
}

// Delta is the coarse change of effects of this kind and operation.
func (d Doing) Delta() Delta {
	switch {
	case d.Kind >= NumKinds:
		return DeltaUnknown
	case d.Kind == Network && d.Op == OpSend:
		return DeltaSend
	}
	return kindDeltas[d.Kind]
}

// MaxRisk is the highest risk level.
const MaxRisk = 3

var deltaRisks = [NumDeltas]uint8{
	DeltaUnknown: MaxRisk, DeltaNone: 0, DeltaWrite: 1, DeltaNavigate: 1, DeltaRun: 2, DeltaDelete: 2, DeltaSend: MaxRisk,
}

// Risk is the level that recovery and merging count with (003 §C.1): 0 no
// change, 1 a local change, 2 runs code or deletes, 3 leaves the machine or is
// unknown.
func (d Delta) Risk() uint8 {
	if d < NumDeltas {
		return deltaRisks[d]
	}
	return MaxRisk
}

// sensitiveRisk is the least level of what reads something sensitive: nothing
// changes, but what was read cannot be unread.
const sensitiveRisk = 2

// RiskOf is the level of a change made by calls of which some read what holds
// secrets or private records: such a read is high-risk (requirement C4).
func RiskOf(d Delta, sensitive bool) uint8 {
	if sensitive {
		return max(d.Risk(), sensitiveRisk)
	}
	return d.Risk()
}
