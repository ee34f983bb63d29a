package lanes_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Importing lanes brings the standard library, fsm and the generated machines,
// and nothing else.
func TestImports(t *testing.T) {
	const module = "github.com/interlock-go/interlock/"
	allowed := map[string]bool{module + "fsm": true, module + "fsm/lane": true, module + "fsm/queue": true, module + "fsm/session": true}
	for pkg, self := range map[string][]string{
		".":            {module + "lanes"},
		"./lanestest":  {module + "lanes", module + "lanes/lanestest"},
		"./lanesslog":  {module + "lanes", module + "lanes/lanesslog"},
		"./lanesmeter": {module + "lanes", module + "lanes/lanesmeter"},
		"./lanesweb":   {module + "lanes", module + "lanes/lanesweb"},
	} {
		out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, dep := range strings.Fields(string(out)) {
			seen++
			if !allowed[dep] && !slices.Contains(self, dep) {
				t.Errorf("%s imports %s", pkg, dep)
			}
		}
		if seen < len(self)+len(allowed) {
			t.Errorf("go list -deps %s tells of %d packages only", pkg, seen)
		}
	}
}
