package main

import (
	"bufio"
	"os"
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
	wall time.Time
	cpu  time.Duration
	base float64
}

func newClock() clock { return clock{time.Now(), cpuTime(), peakMB()} }

// cost returns what was spent since.
func (c clock) cost() Cost {
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
