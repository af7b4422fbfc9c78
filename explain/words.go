package explain

import "strconv"

// Thousands writes n with a comma after every third digit: 1,204.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	from := 0
	if n < 0 {
		from = 1
	}
	for i := len(s) - 3; i > from; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
