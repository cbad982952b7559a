package main

import (
	"fmt"
	"os"

	"arrowagg/internal/arena"
	"arrowagg/internal/outfile"
)

// starving is a process that the system gives no memory while it writes.
func starving() {
	left := &leftovers{}
	arena.WhenExhausted(giveUp(left))
	f := outfile.New(os.Args[1])
	left.add(f.Abort)
	if err := f.Create(); err != nil {
		panic(err)
	}
	fmt.Fprintln(f, "half of the new content")
	for range 8 {
		go new(arena.Arena).Get(1 << 50)
	}
	select {}
}

// stubborn is a process whose temporary files cannot be removed, as on a file
// server that is gone.
func stubborn() {
	left := newLeftovers()
	left.add(func() {
		fmt.Println("removing")
		select {}
	})
	fmt.Println("ready")
	select {}
}
