//go:build !unix

package lab

import "time"

var began = time.Now()

// cpu stands in with the wall clock where the system tells no CPU time.
func cpu() time.Duration { return time.Since(began) }
