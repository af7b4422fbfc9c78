package main

import (
	"bufio"
	"os"
	"runtime/pprof"
	"strings"
	"time"
)

// Cost is what a method took from having the data to having the answer.
type Cost struct {
	Wall float64 `json:"wall"` // seconds
	CPU  float64 `json:"cpu"`  // seconds, all threads
	Peak float64 `json:"peak"` // MB of the whole process
	Base float64 `json:"base"` // MB of it that were there before, data included
}

// clock measures from its making.
type clock struct {
	wall    time.Time
	cpu     time.Duration
	base    float64
	profile *os.File // or nil
}

// profiles is the folder for profiles of what clocks measure, or "".
var profiles string

func newClock() clock {
	c := clock{base: peakMB()}
	if profiles != "" {
		if f, err := os.CreateTemp(profiles, "*.pprof"); err == nil && pprof.StartCPUProfile(f) == nil {
			c.profile = f
		}
	}
	c.wall, c.cpu = time.Now(), cpuTime()
	return c
}

// cost returns what was spent since.
func (c clock) cost() Cost {
	if c.profile != nil {
		defer func() {
			pprof.StopCPUProfile()
			c.profile.Close()
		}()
	}
	return Cost{
		Wall: time.Since(c.wall).Seconds(), CPU: (cpuTime() - c.cpu).Seconds(),
		Peak: peakMB(), Base: c.base,
	}
}

// cpuName returns the processor's name where the system tells it.
func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, ok := strings.CutPrefix(s.Text(), "model name"); ok {
			return strings.TrimLeft(name, "\t: ")
		}
	}
	return "unknown processor"
}
