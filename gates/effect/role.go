package effect

// Role is what an argument of a tool is for. The zero value says nothing.
type Role uint8

// The roles. A role decides which effect an argument has; RoleWords has none
// and keeps the argument out of the context (requirement C5).
const (
	RoleNone       Role = iota
	RolePathRead        // a path that is read
	RolePathList        // a path whose names are listed or searched
	RolePathWrite       // a path that is created or changed
	RolePathDelete      // a path that is removed
	RoleURLFetch        // an address that is fetched from
	RoleURLSend         // an address that is sent to
	RoleCommand         // a shell command line
	RoleCode            // code for an interpreter
	RoleSQL             // statements for a database
	RoleRecipient       // who or what receives: an address, an account, a channel
	RoleAmount          // how much money, or how many of something
	RolePayload         // what is written or sent
	RoleRecord          // the id or name of a record of an application
	RoleCwd             // the directory a command runs in
	RoleEscalate        // asks to run outside a sandbox, unless it is false
	RoleSecret          // a password or key to set
	RoleWords           // words for people: a description, a reason, a thought
	NumRoles
)

// roleRow is what is known of a role.
type roleRow struct {
	name  string
	doing Doing // the effect of a value of this role; Opaque where the value itself says it
	leads bool  // decides where a call leads: to whom, to which page, with which secret
	sink  bool  // decides where data, money or control goes
}

var roleTable = [NumRoles]roleRow{
	RoleNone:       {name: ""},
	RolePathRead:   {name: "path-read", doing: reading},
	RolePathList:   {name: "path-list", doing: Doing{List, OpList}},
	RolePathWrite:  {name: "path-write", doing: modifying},
	RolePathDelete: {name: "path-delete", doing: removing},
	RoleURLFetch:   {name: "url-fetch", doing: Doing{Network, OpFetch}, leads: true, sink: true},
	RoleURLSend:    {name: "url-send", doing: sending, leads: true, sink: true},
	RoleCommand:    {name: "command"},
	RoleCode:       {name: "code"},
	RoleSQL:        {name: "sql"},
	RoleRecipient:  {name: "recipient", doing: sending, leads: true, sink: true},
	RoleAmount:     {name: "amount", sink: true},
	RolePayload:    {name: "payload"},
	RoleRecord:     {name: "record"},
	RoleCwd:        {name: "cwd"},
	RoleEscalate:   {name: "escalate", doing: Doing{Setting, OpPrivilege}},
	RoleSecret:     {name: "secret", doing: Doing{Setting, OpAccount}, leads: true, sink: true},
	RoleWords:      {name: "words"},
}

// String returns the role's name, as Arg.Role and gbt.yaml have it.
func (r Role) String() string {
	if r < NumRoles {
		return roleTable[r].name
	}
	return "invalid"
}

// ParseRole returns the role with a name.
func ParseRole(name string) (Role, bool) {
	for r := RoleNone; r < NumRoles; r++ {
		if roleTable[r].name == name {
			return r, true
		}
	}
	return RoleNone, false
}

// RoleNames are the names of all roles that a schema can give.
func RoleNames() []string {
	var out []string
	for r := RoleNone + 1; r < NumRoles; r++ {
		out = append(out, roleTable[r].name)
	}
	return out
}

// Doing is the effect that a value of the role has; its kind is Opaque where the
// role alone does not say.
func (r Role) Doing() Doing {
	if r < NumRoles {
		return roleTable[r].doing
	}
	return Doing{}
}

// Leads says whether an argument of the role decides where a call leads: to
// whom, to which page, with which secret.
func (r Role) Leads() bool { return r < NumRoles && roleTable[r].leads }

// Sink says whether an argument of the role decides where data, money or control
// goes: recipients, amounts, addresses and secrets that are set.
func (r Role) Sink() bool { return r < NumRoles && roleTable[r].sink }
