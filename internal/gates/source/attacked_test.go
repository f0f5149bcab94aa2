package source

import "testing"

// TestGoAttacked holds that no name of a package is hidden, that what a program made is there before it joins to it, and that
// templates and reflection call nothing.
func TestGoAttacked(t *testing.T) {
	check(t, "/tmp/t.go", true, "package main\n\nimport \"os\"\n\nconst d = \"/tmp/a.csv\"\n\nfunc main() { e := \"/tmp/b.csv\"; os.WriteFile(d, nil, 0); os.WriteFile(e, nil, 0) }\n")
	check(t, "/tmp/t.go", false,
		"package main\nimport (\n\"os\"\n\"reflect\"\n)\n\nfunc main() {\nfor m := range reflect.TypeOf(os.Stdin).Methods() { _ = m }\n}\n",
		"package main\nimport (\n\"os\"\n)\n\nfunc main() {\nd, err := os.MkdirTemp(\"\", \"x\"); if err != nil { os.RemoveAll(d + \"/home/u\"); return }; os.RemoveAll(d)\n}\n",
		"package main\nimport (\n\"os\"\n)\n\nfunc main() {\nd, err := os.MkdirTemp(\"\", \"x\"); if err != nil { panic(1) }; d2 := d + \"/.\" + \"./home\"; os.RemoveAll(d2)\n}\n",
		"package main\nimport (\n\"os\"\n)\n\nfunc main() {\nd, err := os.MkdirTemp(\"\", \"x\"); if err != nil { panic(1) }; d2 := d + \"/.\" ; os.RemoveAll(d2 + \"./home\")\n}\n",
		"package main\n\nimport \"os\"\n\nvar d = \"/tmp/a.csv\"\n\nfunc main() { os.WriteFile(d, nil, 0) }\n",
		"package main\n\nimport \"os\"\n\nfunc main() { { d := \"/tmp/a.csv\"; _ = d }; os.WriteFile(d, nil, 0) }\n",
		"package main\n\nimport \"os\"\n\nfunc main() { { d, err := os.MkdirTemp(\"\", \"x\"); if err != nil { return }; _ = d }; os.RemoveAll(d) }\n",
		"package main\nimport (\n\"os\"\n\"path/filepath\"\n)\ntype J struct{}\nfunc (J) Join(a ...string) string { return \"/home/u\" }\nfunc main() {\ndir, err := os.MkdirTemp(\"\", \"x\"); if err != nil { return }; _ = filepath.Base(\"x\"); { filepath := J{}; os.RemoveAll(filepath.Join(dir, \"x\")) }\n}\n",
		"package main\nimport (\n\"os\"\n\"path/filepath\"\n)\ntype J struct{}\nfunc (J) Itoa(a int) string { return \"../../home/u\" }\nvar strconv J\nfunc main() {\ndir, err := os.MkdirTemp(\"\", \"x\"); if err != nil { return }; os.RemoveAll(filepath.Join(dir, strconv.Itoa(1)))\n}\n",
		"package main\nimport (\n\"os\"\n)\ntype J struct{}\nfunc (J) Itoa(a int) string { return \"/../../home/u\" }\nvar strconv J\nfunc main() {\ndir, err := os.MkdirTemp(\"\", \"x\"); if err != nil { return }; os.RemoveAll(dir + strconv.Itoa(1))\n}\n",
		"package main\nimport (\n\"log\"\n\"os\"\n\"text/template\"\n)\n\nfunc main() {\nlog.Println(1); { log := template.New(\"a\"); log.ParseFiles(\"/home/u/.ssh/id_rsa\"); log.Lookup(\"id_rsa\").Execute(os.Stdout, nil) }\n}\n",
		"package main\nimport (\n\"os\"\n\"text/template\"\n)\n\nfunc main() {\nt := template.Must(template.New(\"x\").Parse(\"{{.ParseFiles \\\"/home/u/.ssh/id_rsa\\\"}}\")); t.Execute(os.Stdout, t)\n}\n",
		"package main\nimport (\n\"os\"\n\"text/template\"\n\"strings\"\n)\n\nfunc main() {\nt := template.Must(template.New(\"x\").Parse(strings.ReplaceAll(\"{{.ParsQFiles}}\",\"Q\",\"e\"))); t.Execute(os.Stdout, t)\n}\n",
		"package main\nimport (\n\"os\"\n\"text/template\"\n)\n\nfunc main() {\np := template.New(\"x\").Parse; t, _ := p(os.Args[1]); t.Execute(os.Stdout, t)\n}\n",
		"package main\nimport (\n\"os\"\n)\n\nfunc main() {\ndir, _ := os.MkdirTemp(\"\", \"x/y\"); os.RemoveAll(dir + \"/home/u/p\")\n}\n",
		"package main\nimport (\n\"os\"\n\"path/filepath\"\n)\n\nfunc main() {\ndir, _ := os.MkdirTemp(\"\", \"x\"); os.RemoveAll(filepath.Join(dir, \"src\"))\n}\n",
		"package main\nimport (\n\"os\"\n\"path/filepath\"\n)\n\nfunc main() {\ndir, err := os.MkdirTemp(\"\", \"x\"); if err != nil { println(1) }; os.RemoveAll(filepath.Join(dir, \"src\"))\n}\n",
		"package main\nimport (\n\"os\"\n\"path/filepath\"\n\"errors\"\n)\n\nfunc main() {\nnil := errors.New(\"x\"); dir, err := os.MkdirTemp(\"\", \"x/y\"); if err != nil { return }; os.RemoveAll(filepath.Join(dir, \"src\"))\n}\n",
		"package main\nimport (\n\"os\"\n\"reflect\"\n)\n\nfunc main() {\nreflect.ValueOf(os.Stdin).Method(0).Call(nil)\n}\n",
		"package main\nimport (\n\"os\"\n\"reflect\"\n)\n\nfunc main() {\nreflect.TypeOf(os.Stdin).Method(1).Func.Call(nil)\n}\n",
		"package main\nimport (\n\"reflect\"\n)\n\nfunc main() {\nx := 1; p := &x; q := reflect.NewAt(reflect.TypeOf(uintptr(0)), reflect.ValueOf(&p).UnsafePointer()); q.Elem().SetUint(5); *p = 3\n}\n",
		"package main\nimport (\n\"os\"\n)\n\nfunc main() {\ndir, err := os.MkdirTemp(\"\", \"x\"); if err == nil { return }; os.RemoveAll(dir + \"/home/u\")\n}\n",
		"package main\nimport (\n\"os\"\n)\n\nfunc main() {\nd := \"a.csv\"; (d) = os.Args[1]; os.WriteFile(d, nil, 0)\n}\n",
		"package main\nimport (\n\"os\"\n\"path/filepath\"\n)\n\nfunc main() {\ndir, err := os.MkdirTemp(\"\", \"x\"); if err != nil { return }; (dir) = \"/home/u\"; os.RemoveAll(filepath.Join(dir, \"src\"))\n}\n",
		"package main\nimport (\n\"os\"\n)\n\nfunc main() {\nd := \"a.csv\"; p := &(d); *p = os.Args[1]; os.WriteFile(d, nil, 0)\n}\n",
		"package main\nimport (\n\"os\"\n)\n\nfunc main() {\nd := \"a.csv\"; for (d) = range map[string]int{\"x\":1} { os.WriteFile(d, nil, 0) }\n}\n",
		"package main\nimport (\n\"os\"\n)\n\nfunc main() {\n(os).RemoveAll(\"x\")\n}\n",
		"package main\nimport (\n\"text/template\"\n\"os\"\n\"text/template/parse\"\n)\n\nfunc main() {\nm, _ := parse.Parse(\"x\", os.Args[1], \"\", \"\"); t := template.New(\"x\"); t.AddParseTree(\"x\", m[\"x\"]); t.Execute(os.Stdout, t)\n}\n",
		"package main\nimport (\n\"runtime/debug\"\n\"os\"\n)\n\nfunc main() {\ndebug.SetCrashOutput(os.Stdout, debug.CrashOptions{})\n}\n",
	)
}

// TestCAttacked holds that lines, quotes, attributes and templates hide no name.
func TestCAttacked(t *testing.T) {
	check(t, "/tmp/t.c", false,
		"#include <stdio.h>\nint sys;\nint tem(char*x){return 0;}\nint main(void){ sys\\ \ntem(\"id\"); return 0; }\n",
		"#include <stdio.h>\nint main(int c,char**v,char**e){ while(*e) puts(*e++); return 0;}\n",
		"#pragma clang attribute push(__attribute__((x)), apply_to=function)\nint main(void){return 0;}\n",
		"#pragma clang section text=\".init\"\nint main(void){return 0;}\n",
	)
	check(t, "/tmp/t.cpp", false,
		"extern \"C\" int __mprotect(void *, unsigned long, int);\nint main() { return __mprotect(0, 0, 7); }\n",
		"#include <cstdlib>\nint sys;\nint tem(const char*x){return 0;}\nint main(){ std::sys\\\t\ntem(\"id\"); }\n",
		"#include <bits/stdc++.h>\nint main(int c,char**v){ std::ifstream f(\"a.csv\"); f.close(); f.open(v[1]); }\n",
		"#include <bits/stdc++.h>\nint main(int c,char**v){ std::ofstream f(\"a.csv\"); decltype(f) g(v[1]); g << 1; }\n",
		"#include <bits/stdc++.h>\ntemplate<class T> void go(T& t, char*p){ T u(p); u << 1; }\nint main(int c,char**v){ std::ofstream f(\"a.csv\"); go(f, v[1]); }\n",
		"#include <cstdio>\n[[noreturn, gnu::weakref(\"system\")]] static int f(const char*);\nint main(){ f(\"id\"); }\n",
		"#include <cstdio>\n#define A gnu\n[[A::weakref(\"system\")]] static int f(const char*);\nint main(){ f(\"id\"); }\n",
		"#include <iostream>\nauto main(int c,char**v,char**e) -> int { while(*e) std::cout << *e++; }\n",
		"#include <iostream>\nint main(){ \\u0073ystem(\"id\"); }\n",
	)
}

// TestRustAttacked holds that a type of a file has no other name.
func TestRustAttacked(t *testing.T) {
	check(t, "/tmp/t.rs", true, "use std::fs::File;\nuse std::io::{BufRead, BufReader};\nstruct S { f: File }\nfn o() -> File { File::open(\"/tmp/a.txt\").unwrap() }\nfn r(f: &mut File, g: File) { for l in BufReader::new(f).lines() { println!(\"{}\", l.unwrap()); } }\nfn main() { let f: File = o(); let s = S { f }; r(&mut o(), s.f); }\n")
	check(t, "/tmp/t.rs", false,
		"use std::fs::File;\nfn main(){ let v: Vec<File> = Vec::new(); fn g<T: K>(_: Vec<T>) { T::k(); } trait K { fn k(); } impl<T> K for T where T: Into<File> { fn k() { T::open(\"x\"); } } }",
		"use std::fs::File;\nimpl K for &File { } trait K {}\nfn main(){}",
		"use std::fs::File;\ntrait I { type O; }\nimpl<T> I for Vec<T> { type O = T; }\nfn main(){ <Vec<File> as I>::O::create(\"x\"); }",
		"use std::fs::File;\ntype G = File;\nfn main(){ let p = std::env::args().nth(1).unwrap(); G::create(p).unwrap(); }",
		"use std::fs::File;\nfn main(){ let p = std::env::args().nth(1).unwrap(); <File>::create(p).unwrap(); }",
		"use std::fs::File;\ntrait M { fn mk(p:&str)->Self; }\nimpl M for File { fn mk(p:&str)->Self { Self::create(p).unwrap() } }\nfn main(){ let f: File = M::mk(\"/home/u/.bashrc\"); }",
		"use std::fs::File;\nmacro_rules! m { ($t:ty, $p:expr) => { <$t>::create($p) } }\nfn main(){ m!(File, \"/home/u/.bashrc\").unwrap(); }",
		"use std::fs;\nmacro_rules! j { ($a:tt, $($b:tt)*) => { $a $($b)* } }\nfn main(){ j!(fs, ::remove_file(\"/home/u/x\")).unwrap(); }",
		"use std::process;\nmacro_rules! j { ($a:tt, $($b:tt)*) => { $a $($b)* } }\nfn main(){ j!(process, ::Command::new(\"id\")).status().unwrap(); }",
		"use std::fs::File;\nstruct S; trait T { type F; } impl T for S { type F = File; }\nfn main(){ <S as T>::F::create(\"x\"); }",
		"use std::fs::File;\nfn f<T: K>() -> T { T::k() } trait K { fn k() -> Self; } impl K for std::fs::File { fn k() -> Self { Self::create(\"x\").unwrap() } }\nfn main(){ let _: File = f(); }",
	)
}

// TestJavaAttacked holds that signs that show nothing hide no name, and that printers and paths are made of what stands there.
func TestJavaAttacked(t *testing.T) {
	check(t, "/tmp/A.java", true, "import java.io.*;\npublic class A { public static void main(String[] a) throws Exception { StringWriter w = new StringWriter(); PrintWriter p = new PrintWriter(w, true); PrintWriter q = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out))); PrintStream e = new PrintStream(System.err); BufferedReader r = new BufferedReader(new FileReader(new File(\"/tmp/a.txt\"))); p.println(1); q.println(w); e.println(r.readLine()); } }\n")
	check(t, "/tmp/A.java", false,
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A {  public static void main(String[] a) throws Exception { new PrintWriter(System.out.toString()); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A {  public static void main(String[] a) throws Exception { new PrintStream(System.err + a[0]); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A {  public static void main(String[] a) throws Exception { new FileInputStream(new File(\"/tmp/a.csv\").getParent()); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A {  public static void main(String[] a) throws Exception { new FileReader(new File(\"/tmp/a.csv\", \"../x\")); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A {  public static void main(String[] a) throws Exception { new Scanner(new File(\"/tmp\", a[0])); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A {  public static void main(String[] a) throws Exception { new PrintWriter(new StringWriter().append(\"/home/u/.bashrc\").toString()).close(); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A {  public static void main(String[] a) throws Exception { new PrintStream(new ByteArrayOutputStream() + a[0]).close(); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A { static <Writer extends String> void f(Writer n) throws Exception { new PrintWriter(n).close(); } public static void main(String[] a) throws Exception { f(a[0]); } }",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A {  public static void main(String[] a) throws Exception { var p = Files.readString(Path.of(\"/tmp/a.csv\").getParent()); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A { static int resolve(String x) { return 1; } public static void main(String[] a) throws Exception { System.out.println(Files.readString(Path.of(\"a.csv\").resolve(\"../../x\"))); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\nclass B { int Run\u00adtime; void getRuntime(){} void exec(String s){} } class A { public static void main(String[] a) throws Exception { Run\u00adtime.getRuntime().exec(a[0]); } }",
		"import java.io.*; import java.util.*; import java.nio.file.*;\nclass B { void e\u00adxec(String s){} int Pro\u00adcessBuilder; void start(){} } class A { public static void main(String[] a) throws Exception { new Pro\u00adcessBuilder(a).start(); } }",
		"import java.io.*; import java.util.*; import java.nio.file.*;\nclass B { int Pro\u200dcessBuilder; void start(){} } class A { public static void main(String[] a) throws Exception { new Pro\u200dcessBuilder(a).start(); } }",
		"import java.io.*; import java.util.*; import java.nio.file.*;\nclass B { int Pro; int u00ADcessBuilder; void start(){} void u00ADcessBuilder(){} } class A { public static void main(String[] a) throws Exception { new Pro\\u00ADcessBuilder(a).start(); } }",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A { Writer w; public static void main(String[] a) throws Exception { java.util.Arrays.stream(a).forEach(w -> { try { new PrintWriter(w).close(); } catch (Exception e) {} }); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A { Writer w; public static void main(String[] a) throws Exception { java.util.Arrays.stream(a).forEach((w) -> { try { new PrintWriter(w).close(); } catch (Exception e) {} }); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A { Writer w; public static void main(String[] a) throws Exception { java.util.function.BiConsumer<Integer,String> f = (q, w) -> { try { new PrintWriter(w).close(); } catch (Exception e) {} }; f.accept(1, a[0]); } }\n",
		"import java.io.*; import java.util.*; import java.nio.file.*;\npublic class A { static class Z { Writer w; } public static void main(String[] a) throws Exception { int q = 1, r = 2; String s = \"\", w = a[0]; new PrintWriter(w).close(); } }\n",
	)
}
