package main

import (
	"os"
	"syscall"
)

// peakOf returns the largest resident memory of a process that has ended.
func peakOf(s *os.ProcessState) int64 { return s.SysUsage().(*syscall.Rusage).Maxrss * 1024 }
