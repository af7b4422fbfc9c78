//go:build unix

package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func usage() (u syscall.Rusage) {
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return syscall.Rusage{}
	}
	return u
}

// cpuTime returns the CPU time of this process, all threads together: on a
// shared machine the only clock that tells the work done.
func cpuTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMB returns the largest memory of this process so far. Linux counts a
// parent's memory into Maxrss of its child, so that it is asked otherwise.
func peakMB() float64 {
	if text, err := os.ReadFile("/proc/self/status"); err == nil {
		if _, after, ok := strings.Cut(string(text), "VmHWM:"); ok {
			if kb, err := strconv.ParseFloat(strings.Fields(after)[0], 64); err == nil {
				return kb / 1024
			}
		}
	}
	kb := float64(usage().Maxrss)
	if runtime.GOOS == "darwin" { // bytes there
		kb /= 1024
	}
	return kb / 1024
}
