package main

import "testing"

// TestLeastTimes: of several runs the least time stands, wherever the name has the
// tier.
func TestLeastTimes(t *testing.T) {
	list := leastTimes(nil, "BenchmarkSoftmax/k=2/plain \t 10\t 30 ns/op\nBenchmarkSoftmax/k=2/avx2 \t 10\t 12 ns/op\t 1 GF/s\nPASS\n")
	list = leastTimes(list, "BenchmarkSoftmax/k=2/avx2 \t 10\t 10 ns/op\nBenchmarkMix/avx2/k=4 \t 10\t 7 ns/op\n")
	if len(list) != 2 || list[0].job != "Softmax k=2" || list[0].ns["plain"] != 30 || list[0].ns["avx2"] != 10 || list[1].job != "Mix k=4" || list[1].ns["avx2"] != 7 {
		t.Errorf("%+v %+v", list[0], list)
	}
}
