package par

import "runtime"

// Soon waits awake until something is so that another core is about to make so, and tells
// whether it is: after some 50 µs it gives up. Who sleeps is woken as long after it is so,
// and who wakes him loses time, too.
func Soon(is func() bool) bool {
	const (
		looks = 200 // before others get the core
		turns = 100
	)
	for range turns {
		for range looks {
			if is() {
				return true
			}
		}
		runtime.Gosched()
	}
	return false
}
