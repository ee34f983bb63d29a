//go:build !unix

package tla

import (
	"os/exec"
	"time"
)

// killGroup kills the process alone: there are no groups to kill here.
func killGroup(cmd *exec.Cmd) { cmd.WaitDelay = 5 * time.Second }
