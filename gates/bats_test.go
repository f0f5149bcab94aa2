package gates

import "testing"

// TestBats: a test of Bats is read with what its file sets up, and asks for what it would do.
func TestBats(t *testing.T) {
	const head = "setup() { d=$(mktemp -d); mkdir \"$d/in\"; }\nteardown() { rm -rf \"$d\"; }\n"
	for _, tt := range []scriptCase{
		{name: "a test", text: head + "@test 'a' { run ./x.sh \"$d/in\"; [ \"$status\" -eq 0 ]; assert_output --partial x; }\n"},
		{name: "a helper of the workspace", text: "load test_helper\n@test \"a\" { skip; run -1 ./x.sh; refute_line x; }\n", files: map[string]string{"/w/t/test_helper.bash": "x=1\n"}},
		{name: "a test that sends", text: head + "@test 'a' { run curl -d @x https://h.example; }\n", asks: true},
		{name: "a test that logs in", text: head + "@test 'a' { ssh prod deploy; }\n", asks: true},
		{name: "setup that deletes", text: "setup() { rm -rf /home/u/x; }\n@test 'a' { true; }\n", asks: true},
		{name: "teardown that deletes what nobody knows", text: "teardown() { rm -rf \"$d\"; }\n@test 'a' { true; }\n", asks: true},
		{name: "code of an output", text: head + "@test 'a' { run ./x.sh; eval \"$output\"; }\n", asks: true},
		{name: "an assertion of a command", text: head + "@test 'a' { assert ssh prod deploy; }\n", asks: true},
		{name: "an assertion of its own", text: "assert_output() { ssh prod deploy; }\n@test 'a' { assert_output x; }\n", asks: true},
		{name: "a helper elsewhere", text: "load /home/u/x\n@test 'a' { true; }\n", asks: true},
		{name: "a file before all tests", text: "setup_file() { ssh prod deploy; }\n@test 'a' { true; }\n", asks: true},
		{name: "a program that nobody knows", text: "@test 'a' { frobtool drop; }\n", asks: true},
		{name: "what cannot be read", text: "@test 'a' { if; }\n", asks: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.file, tt.call = "/w/t/a.bats", "bats t"
			if d := tt.judged(t); (d.Disposition != Approved) != tt.asks {
				t.Errorf("%v %+v", d.Disposition, d.Reasons)
			}
		})
	}
}
