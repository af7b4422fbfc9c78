package screens_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// renderer tells what the process that shows the page has taken so far: seconds of
// computing, of all its threads, and the memory that it has for itself alone, without the
// files of the browser that all its processes share. It is the largest child of the browser
// whose profile lies in the folder.
func renderer(profile string) (cpu float64, own int, err error) {
	const ticks = 100 // a second, on every Linux that Go runs on
	parent, words := map[int]int{}, map[int]string{}
	root := 0
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		line, err1 := os.ReadFile(filepath.Join(dir, "cmdline"))
		stat, err2 := os.ReadFile(filepath.Join(dir, "stat"))
		if err1 != nil || err2 != nil {
			continue // it has ended meanwhile
		}
		words[pid] = string(line)
		if strings.Contains(string(line), profile) && !strings.Contains(string(line), "--type=") {
			root = pid
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if f := strings.Fields(rest); len(f) > 1 {
			parent[pid], _ = strconv.Atoi(f[1])
		}
	}
	for pid, line := range words {
		of := pid
		for of > 1 && of != root {
			of = parent[of]
		}
		if of != root || root == 0 || !strings.Contains(line, "--type=renderer") {
			continue
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue
		}
		_, anonymous, _ := strings.Cut(string(status), "RssAnon:")
		kb, _ := strconv.Atoi(strings.Fields(anonymous + " 0")[0])
		if kb<<10 <= own {
			continue
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, rest, _ := strings.Cut(string(stat), ") ")
		if f := strings.Fields(rest); len(f) > 12 {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			cpu, own = float64(user+system)/ticks, kb<<10
		}
	}
	if own == 0 {
		return 0, 0, fmt.Errorf("no process shows pages with the profile %s", profile)
	}
	return cpu, own, nil
}

// used is how many seconds of computing this process has taken.
func used() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
