//go:build unix

package tla

import (
	"os/exec"
	"syscall"
	"time"
)

// killGroup gives the command a process group of its own and has cancelling
// kill all of it: mvn is a shell script, and the JVM is its child.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}
