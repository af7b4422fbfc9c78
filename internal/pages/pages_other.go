//go:build !linux

package pages

// hint does nothing: other systems choose by themselves.
func hint(_, _ uintptr) {}
