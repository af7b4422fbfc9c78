//go:build !unix

package main

import "time"

var began = time.Now()

// cpuTime stands in with the wall clock where the system tells no CPU time.
func cpuTime() time.Duration { return time.Since(began) }

// peakMB is unknown here.
func peakMB() float64 { return 0 }
