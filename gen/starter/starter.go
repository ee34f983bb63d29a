// Package starter has the table that a newcomer begins with.
package starter

import (
	_ "embed"
	"strings"
)

//go:embed starter.yaml
var table string

// Table returns the starter for a machine of that name.
func Table(name string) []byte {
	return []byte(strings.Replace(table, "machine: NAME\n", "machine: "+name+"\n", 1))
}
