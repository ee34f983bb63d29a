// Package starter has the table that a newcomer begins with.
package starter

import (
	_ "embed"
	"strings"
)

//go:embed starter.yaml
var table string

// Table returns the starter for a machine of that name. Its comments name
// commands as call, such as "go tool interlock".
func Table(name, call string) []byte {
	return []byte(strings.NewReplacer("machine: NAME\n", "machine: "+name+"\n", "#   interlock ", "#   "+call+" ").Replace(table))
}
