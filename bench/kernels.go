package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// kernelRuns is how often each kernel is measured: the least time stands, and
// tiers take turns, so that a busy machine slows all of them.
const kernelRuns = 5

// kernelTimes are the least times of a kernel on one job, by tier, in ns.
type kernelTimes struct {
	job string
	ns  map[string]float64
}

// runKernels measures every kernel on rows of the shape of documents or patients,
// in every tier of this machine. A kernel earns its place in a tier by 1.3 times
// the speed of the tier below, which stands in the last columns.
func runKernels(ctx context.Context, b *bench) error {
	program, err := filepath.Abs(b.path("kernel.test"))
	if err != nil {
		return err
	}
	if b.program != "" {
		program = b.program
	} else if said, err := exec.CommandContext(ctx, "go", "test", "-C", product, "-c", "-o", program, "./internal/kernel").CombinedOutput(); err != nil {
		return fmt.Errorf("building the benchmarks (or name them, go test -c, with -program): %w: %s", err, said)
	}
	var list []*kernelTimes
	for range kernelRuns {
		c := exec.CommandContext(ctx, program, "-test.run", "^$", "-test.bench", ".", "-test.benchtime", "20ms", "-test.cpu", "1")
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			return fmt.Errorf("benchmarks of the kernels: %w", err)
		}
		list = leastTimes(list, string(out))
	}
	printKernels(list)
	return nil
}

// tiersOf are the tiers in which kernels are measured, each over the one before.
var tiersOf = []string{"plain", "avx2", "avx512", "neon"}

// leastTimes reads what benchmarks print, BenchmarkName/job/tier or
// BenchmarkName/tier/job, and keeps the least time of each.
func leastTimes(list []*kernelTimes, out string) []*kernelTimes {
	for scan := bufio.NewScanner(strings.NewReader(out)); scan.Scan(); {
		f := strings.Fields(scan.Text())
		if len(f) < 4 || f[3] != "ns/op" || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		ns, err := strconv.ParseFloat(f[2], 64)
		path := strings.Split(strings.TrimPrefix(f[0], "Benchmark"), "/")
		at := slices.IndexFunc(path, func(s string) bool { return slices.Contains(tiersOf, s) })
		if err != nil || at < 0 {
			continue
		}
		tier := path[at]
		job := strings.Join(slices.Delete(path, at, at+1), " ")
		i := slices.IndexFunc(list, func(t *kernelTimes) bool { return t.job == job })
		if i < 0 {
			i, list = len(list), append(list, &kernelTimes{job, map[string]float64{}})
		}
		if old, ok := list[i].ns[tier]; !ok || ns < old {
			list[i].ns[tier] = ns
		}
	}
	return list
}

func printKernels(list []*kernelTimes) {
	var here []string
	for _, t := range tiersOf {
		if slices.ContainsFunc(list, func(k *kernelTimes) bool { return k.ns[t] > 0 }) {
			here = append(here, t)
		}
	}
	head := "| kernel, job | " + strings.Join(here, ", µs | ") + ", µs"
	for i := 1; i < len(here); i++ {
		head += fmt.Sprintf(" | %s over %s", here[i], here[i-1])
	}
	fmt.Printf("\nkernels, least of %d\n\n%s |\n|%s\n", kernelRuns, head, strings.Repeat("---|", 2*len(here)))
	for _, k := range list {
		row := "| " + k.job
		for _, t := range here {
			row += fmt.Sprintf(" | %.4g", k.ns[t]/1000)
		}
		for i := 1; i < len(here); i++ {
			row += fmt.Sprintf(" | %.2f×", k.ns[here[i-1]]/k.ns[here[i]])
		}
		fmt.Println(row + " |")
	}
}
