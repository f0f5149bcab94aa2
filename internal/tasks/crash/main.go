//go:build unix

package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if plan := os.Getenv(planVariable); plan != "" {
		os.Exit(work(plan))
	}
	points := flag.Int("points", 1000, "kill the worker `N` times")
	kind := flag.String("store", "bbolt", "kind of store: bbolt or sqlite")
	seed := flag.Uint64("seed", 1, "of the random choices")
	disk := flag.String("disk", "", "keep the stores on a small file system of `KIND`, which is filled and loses its power: ext4, xfs or tmpfs (needs the right to mount)")
	dir := flag.String("dir", "", "keep the stores in `DIR` (default: a temporary one)")
	flag.Parse()
	r, err := harness(options{points: *points, kind: *kind, disk: *disk, seed: *seed, dir: *dir, self: os.Args[0], stderr: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
	r.print(os.Stdout)
	if !r.good() {
		os.Exit(1)
	}
}
