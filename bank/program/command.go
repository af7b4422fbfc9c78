package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// output is what a command left behind.
type output struct {
	text  []byte  // of standard output
	cpu   float64 // seconds, of user and system
	exit  int     // -1 where a signal ended it
	fault string  // in the command's words; empty where it ended well
}

// command runs the program in a bare environment. The kernel ends it after the CPU
// time that it may take; one that sleeps is ended after ten times as long.
func (p Program) command(ctx context.Context, folder string, args []string) output {
	limit := max(1, int(p.CPU.Seconds()))
	ctx, stop := context.WithTimeout(ctx, time.Duration(10*limit)*time.Second)
	defer stop()
	shell := []string{"-c", `ulimit -t "$0" && exec "$@"`, strconv.Itoa(limit), p.Path}
	c := exec.CommandContext(ctx, "/bin/sh", append(shell, args...)...)
	c.Dir, c.Env = folder, []string{"HOME=" + folder, "TMPDIR=" + folder, "LANG=C.UTF-8"}
	var words, faults bytes.Buffer
	c.Stdout, c.Stderr = &words, &faults
	err := c.Run()
	out := output{text: words.Bytes(), exit: -1}
	if c.ProcessState != nil {
		out.exit = c.ProcessState.ExitCode()
		out.cpu = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	}
	if err != nil {
		out.fault = fault(err, words.Bytes(), faults.String(), out.cpu, limit)
	}
	return out
}

// fault says in words why a command failed: too slow, as the document of the error
// says, or by the last line of its standard error.
func fault(err error, document []byte, lines string, cpu float64, limit int) string {
	var ended *exec.ExitError
	if !errors.As(err, &ended) {
		return err.Error()
	}
	if s, ok := ended.Sys().(syscall.WaitStatus); ok && s.Signaled() && s.Signal() == syscall.SIGKILL {
		if cpu > 0.8*float64(limit) { // the kernel counts in ticks, rusage does not
			return fmt.Sprintf("took more than %d s of CPU", limit)
		}
		return "killed: out of memory, or asleep"
	}
	var said struct{ Message string }
	if json.Unmarshal(document, &said) == nil && said.Message != "" {
		return said.Message
	}
	if last := lastLine(lines); last != "" {
		return last
	}
	return err.Error()
}

// lastLine returns the last line that is not empty; of a panic, the line that says so.
func lastLine(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			return line
		}
		if line != "" {
			last = line
		}
	}
	return last
}
