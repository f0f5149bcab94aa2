package main

import "example.org/house/gates"

// Result is in a program: nobody imports it.
type RESULT struct{}

func main() { (&gates.Call{}).Check() }
