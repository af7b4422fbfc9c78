// Package pages makes large lists whose memory the system may hand out in large
// pages, and joins lists that lie side by side.
//
// It takes a length and gives an ordinary zeroed list of the garbage collector.
// Reading data fills fresh memory from front to back; with pages of 4 KB the
// system then is asked once for every thousand numbers, which on some machines
// costs more than the numbers themselves. Where the system does not know the
// hint, nothing happens: results never depend on it.
//
// Step in the flow: below all rooms that fill large lists. It must not know what
// they hold.
package pages

import "unsafe"

// Large is the size in bytes from which a list is worth the hint. Lists that are
// made one after the other lie together, so it may be below the size of a page.
const Large = 16 << 10

// Make is make([]T, n). The hint comes before the first use of the memory: a list
// that append makes larger was used already.
func Make[T any](n int) []T {
	list := make([]T, n)
	var one T
	if size := uintptr(cap(list)) * unsafe.Sizeof(one); size >= Large {
		hint(uintptr(unsafe.Pointer(unsafe.SliceData(list))), size)
	}
	return list
}

// Sums is Make for numbers that whoever makes them adds to.
func Sums[T any](n int) []T {
	list := Make[T](n)
	Touch(list)
	return list
}

// Touch writes to every page of a list of zeros. Adding to a number reads it first:
// the system answers with its page of zeros, has to replace it when the sum is
// written, and interrupts all other cores of the process to have them forget it. With
// 16 cores that was a hundred thousand interrupts in a fit of .7 s (decision 0114).
func Touch[T any](zeros []T) {
	var zero T
	step := max(1, small/int(max(1, unsafe.Sizeof(zero))))
	for i := 0; i < len(zeros); i += step {
		zeros[i] = zero
	}
	if n := len(zeros); n > 0 {
		zeros[n-1] = zero // its page may begin behind the last of those
	}
}

// small is the size of a page where no hint is given.
const small = 4 << 10

// Join returns a list with more behind it: the same memory where more lies there
// already or is all there is, else a copy.
func Join[T any](list, more []T) []T {
	n := len(list)
	switch {
	case n == 0:
		return more
	case len(more) > 0 && cap(list) >= n+len(more) && &list[:n+1][n] == &more[0]:
		return list[:n+len(more)]
	}
	return append(list[:n:n], more...)
}
