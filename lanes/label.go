package lanes

// maxLabel is the most characters that a label may have.
const maxLabel = 80

// labelBytes says of each byte whether a label may hold it, and whether one may
// begin with it.
var labelBytes = func() (t [256]struct{ first, later bool }) {
	for c := range t {
		b := byte(c)
		t[c].first = 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
		t[c].later = t[c].first || b == '.' || b == '_' || b == '-'
	}
	return t
}()

// validLabel reports whether s may name a project or a run. Its length is
// looked at first, so that a string of a megabyte costs nothing.
func validLabel(s string) bool {
	if len(s) == 0 || len(s) > maxLabel || !labelBytes[s[0]].first {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !labelBytes[s[i]].later {
			return false
		}
	}
	return true
}
