package report

import (
	"io"
	"net/url"
	"path"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/interlock-go/interlock/spec/diag"
)

// writeSARIF prints a log of the Static Analysis Results Interchange Format,
// version 2.1.0. All codes are among its rules, so that a viewer knows them.
func writeSARIF(w io.Writer, l diag.List) error {
	return sarifReport(l).PrettyWrite(w)
}

func sarifReport(l diag.List) *sarif.Report {
	run := sarif.NewRunWithInformationURI("interlock", "https://github.com/interlock-go/interlock")
	run.WithColumnKind("unicodeCodePoints").WithNewlineSequences([]string{"\r\n", "\n", "\r"})
	for _, c := range diag.Codes {
		run.AddRule(string(c.Code)).
			WithShortDescription(sarif.NewMultiformatMessageString().WithText(c.Means)).
			WithHelp(sarif.NewMultiformatMessageString().WithText("Repair: " + c.Repair)).
			WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level(c.Severity)))
	}
	for _, d := range l {
		res := run.CreateResultForRule(string(d.Code)).
			WithLevel(level(d.Severity())).
			WithMessage(sarif.NewTextMessage(text(d))).
			WithLocations([]*sarif.Location{location(d.Pos, end(d))})
		for i, r := range d.Related {
			res.AddRelatedLocation(location(r.Pos, 0).WithID(i + 1).WithMessage(sarif.NewTextMessage(r.Message)))
		}
	}
	return sarif.NewReport().AddRun(run)
}

func level(s diag.Severity) string {
	if s == diag.Warning {
		return "warning"
	}
	return "error"
}

// location is a place in a file; endCol 0 leaves the end out.
func location(p diag.Pos, endCol int) *sarif.Location {
	at := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewArtifactLocation().WithURI(uri(p.File)))
	if p.IsValid() {
		region := sarif.NewRegion().WithStartLine(p.Line).WithStartColumn(p.Col)
		if endCol > 0 {
			region.WithEndColumn(endCol)
		}
		at.WithRegion(region)
	}
	return sarif.NewLocationWithPhysicalLocation(at)
}

// uri returns a file's path as a reference: relative to where the command ran,
// as the path is.
func uri(file string) string {
	u := url.URL{Path: file}
	if path.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}
