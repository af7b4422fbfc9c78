//go:build !windows

package main

import (
	"io/fs"
	"os"
	"runtime"
)

// clicked reports whether the program was started from a desktop: it has a screen,
// and neither a terminal, a pipe nor a file at any end.
func clicked() bool {
	if runtime.GOOS != "darwin" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return false
	}
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	in, err := os.Stdin.Stat()
	if err != nil || !os.SameFile(in, null) {
		return false
	}
	for _, f := range []*os.File{os.Stdout, os.Stderr} { // a desktop gives its journal, a socket, or nothing
		info, err := f.Stat()
		if err != nil || !os.SameFile(info, null) && info.Mode()&fs.ModeSocket == 0 {
			return false
		}
	}
	return true
}
