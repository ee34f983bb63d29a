package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
)

// The workflow commands' own escapes: a text ends at a line break, a property
// at a comma or colon too.
var (
	escapeText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub prints workflow commands, which GitHub shows at the lines of a
// pull request.
func writeGitHub(w io.Writer, l diag.List) error {
	var out strings.Builder
	for _, d := range l {
		command := "error"
		if d.Severity() == diag.Warning {
			command = "warning"
		}
		fmt.Fprintf(&out, "::%s file=%s", command, escapeProperty.Replace(d.Pos.File))
		if d.Pos.IsValid() {
			fmt.Fprintf(&out, ",line=%d,col=%d,endColumn=%d", d.Pos.Line, d.Pos.Col, end(d))
		}
		fmt.Fprintf(&out, ",title=%s::%s\n", escapeProperty.Replace("interlock "+string(d.Code)), escapeText.Replace(text(d)))
	}
	_, err := io.WriteString(w, out.String())
	return err
}
