package show

import "testing"

func TestTickWords(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.25: "0.25", 2000: "2,000", 500000: "500,000", 2e6: "2 million", 2.5e6: "2.5 million",
		1e8: "100 million", 3e9: "3e+09", 2e-5: "2e-05", -4e6: "-4 million",
	} {
		if got := tickWords(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
