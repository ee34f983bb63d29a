// Command interlock checks transition tables, generates what follows from
// them, and has the model checker prove it. Run "interlock help".
package main

import (
	"os"

	"github.com/interlock-go/interlock/gen/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
