//go:build unix

package fit

import (
	"os/exec"
	"syscall"
)

// endGroup makes the end of a command the end of all that it started.
func endGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
}
