package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"
)

// self is the package of the command, wherever its module's path was moved to.
var self = strings.TrimSuffix(reflect.TypeFor[verifier]().PkgPath(), "/cli") + "/interlock"

// installed is how the command is called where nothing else is known.
const installed = "interlock"

// invocation is what a person types here to run this program: "go tool
// interlock" in a module that has it as a tool, "go run ./gen/interlock" in its
// own, and else its name. All that names a command for people says it so.
func invocation() string {
	root, err := moduleRoot(".")
	if err != nil {
		return installed
	}
	name := filepath.Join(root, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return installed
	}
	mod, err := modfile.Parse(name, data, nil)
	if err != nil {
		return installed
	}
	for _, t := range mod.Tool {
		if t.Path == self {
			return "go tool " + installed
		}
	}
	if own, ok := strings.CutPrefix(self, modfile.ModulePath(data)+"/"); ok && mod.Module != nil {
		if root == "." {
			return "go run ./" + own
		}
		return "go run " + self
	}
	return installed
}

// called puts how the program is called here into the help of all commands.
func called(root *cobra.Command) {
	how := invocation()
	if how == installed {
		return
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: how}
	put := strings.NewReplacer("  interlock ", "  "+how+" ", "| interlock ", "| "+how+" ", `"`+installed+" explain", `"`+how+" explain")
	for _, c := range root.Commands() {
		c.Example, c.Long = put.Replace(c.Example), put.Replace(c.Long)
	}
}
