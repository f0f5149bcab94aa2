package source

import "testing"

// TestReaches is about programs that reach what their text does not show, and such as do not.
func TestReaches(t *testing.T) {
	check(t, "/tmp/x.cpp", true,
		"#include <iostream>\n#include <vector>\n#include <algorithm>\nstruct P { int x; int twice() const { return 2 * x; } };\nint main() { std::vector<int> v(3, 0); v.push_back(2); std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; }); P p{1}; std::cout << v.size() << p.twice() << std::endl; }\n",
	)
	for _, file := range []string{"/tmp/x.c", "/tmp/x.cpp"} {
		check(t, file, true,
			"#include <stdio.h>\nint main(void) { printf(\"%zu\\n\", sizeof(long)); return 0; }\n",
			"#include <stdio.h>\n#include <stdint.h>\n#define N 4\nstruct s { uint8_t a; uint32_t b; };\nstatic int sq(int x) { return x * x; }\nint main(int argc, char **argv) {\n\tstruct s v = {0};\n\tfor (int i = 0; i < N; i++) if (i && v.a) printf(\"%d\\n\", sq(i)); // squares\n\treturn (int)(v.b);\n}\n",
			"#include <stdlib.h>\n#include <string.h>\nint cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\nint main(void) { int n = 3, a[3]; a[0] = 1; qsort(a, n, sizeof *a, cmp); char *p = malloc(10); memset(p, 0, 10); free(p); return a[0] != 1; }\n",
			"#include <iostream>\nint main(){ std::cout << 1; }\n", "#include <stdio.h>\nenum e { A, B };\nint main(void) { enum e x = B; switch (x) { case A: puts(\"a\"); break; default: puts(\"b\"); } return 0; }\n",
		)
		check(t, file, false,
			"#include <stdio.h>\nint main(int c, char **v, char **e) { while (*e) puts(*e++); return 0; }",
			"#include <stdio.h>\nint main(int c, char *(*v), char **e) { while (*e) puts(*e++); return 0; }",
			"#include <stdlib.h>\nint main(int c, char **v) { return system(v[1]); }", "#include <stdio.h>\nint main(int c, char **v) { return remove(v[1]); }", "int unlink(const char *);\nint main(int c, char **v) { return unlink(v[1]); }",
			"int main(int c, char **v) { return unlink(v[1]); }", "#include <stdlib.h>\nint main(int c, char **v) { int (*f)(const char *) = system; return f(v[1]); }", "#include <stdlib.h>\nvoid f(int system) {}\nint main(int c, char **v) { return system(v[1]); }",
			"#include <stdlib.h>\nint main(int c, char **v) { if (c && system) return system(v[1]); }", "#include <stdlib.h>\nint main(int c, char **v) { c > system; return system(v[1]); }", "#include <stdlib.h>\n#define E\nint main(int c, char **v) { E system; return system(v[1]); }",
			"#include <stdlib.h>\n#define RUN system\nint main(int c, char **v) { return RUN(v[1]); }", "#include <stdlib.h>\nvoid f(int system) {}\nint main(int c, char **v) { bsearch(v[1], v, 1, 1, system); }", "#include <stdlib.h>\nint main(int c, char **v) { return (system)(v[1]); }",
			"#include <stdio.h>\nint main(void) { fopen(\"/etc/x\", \"w\"); }", "#include \"../x.h\"\nint main(void) { go(); }", "int main(void) { __asm__(\"syscall\"); }", "#include <cstdlib>\nstruct A { int execl; A() : execl(2) {} };\nint main() { execl(\"/bin/sh\", \"sh\", nullptr); }",
			"#include <cstdlib>\nnamespace n { int system(const char *) { return 0; } }\nint main(int c, char **v) { return std::system(v[1]); }", "#include <cstdlib>\n#include <memory>\nint main() { std::shared_ptr<char> p(\"x\", system); }", "#include <cstdlib>\nint main(int c, char **v) { auto x = c and system; return system(v[1]); }",
			"typedef int F(const char *);\nF unlink;\nint main(int c, char **v) { return unlink(v[1]); }", "#define C(a,b) a##b\nint main(int c, char **v) { return C(sys,tem)(v[1]); }", "#include <stdlib.h>\nint main(int c, char **v) { struct { int system; } s; s.system = 1; return system(v[1]); }",
			"#include <stdio.h>\nint main(void) { puts(getenv(\"TOKEN\")); }", "#include <stdlib.h>\nint main(int c, char **v) { int r = 1, system(v[1]); }", "extern int (*unlink)(char *);\nint main(int c, char **v) { return unlink(v[1]); }",
		)
	}
	check(t, "/tmp/x.c", false, "// \\ \t\nint f(char *p) { return 0; }\nint main(int c, char **v) { return f(v[1]); }")
	check(t, "/tmp/x.rs", true,
		"fn main() { println!(\"{}\", 1 + 1); }", "use std::collections::HashMap;\nuse std::fmt::{self, Display};\n#[derive(Debug, Clone)]\nstruct A<'a> { s: &'a str, c: char }\nimpl<'a> A<'a> { fn n(&self) -> usize { self.s.len() } }\nfn main() { let mut m: HashMap<String, u32> = HashMap::new(); if !m.is_empty() { return; } m.insert(String::from(\"a\"), u32::MAX); println!(\"{:?} {}\", m, 'x'); let v = vec![1, 2]; assert_eq!(v.iter().sum::<i32>(), 3); }",
		"use std::io::{self, BufRead};\nfn main() { for l in io::stdin().lock().lines() { println!(\"{}\", l.unwrap()); } for a in std::env::args() { println!(\"{a}\"); } std::thread::spawn(|| {}).join().unwrap(); }",
	)
	check(t, "/tmp/x.rs", false,
		"fn main() { std::process::Command::new(\"sh\").spawn(); }", "use std::fs;\nfn main() { fs::remove_dir_all(\"/\"); }", "use std::{self as s};\nfn main() { s::fs::remove_file(\"x\"); }", "use std as s;\nfn main() { s::fs::remove_file(\"x\"); }", "use std::*;\nfn main() { fs::remove_file(\"x\"); }",
		"fn main() { unsafe { } }", "extern \"C\" { fn system(); }\nfn main() {}", "include!(\"/tmp/x.rs\");\nfn main() {}", "mod x;\nfn main() {}", "#[path = \"/tmp/x.rs\"] mod x { }\nfn main() {}", "fn main() { println!(\"{}\", env!(\"TOKEN\")); }", "fn main() { std::env::var(\"TOKEN\"); }", "use std::net::TcpStream;\nfn main() {}",
		"use std::os::unix;\nfn main() {}", "fn main() { core::arch::asm!(\"syscall\"); }", "use libc::unlink;\nfn main() { libc::unlink(); }", "use ::std::fs;\nfn main() {}", "use {std::fs};\nfn main() {}",
	)
}
