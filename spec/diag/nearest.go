package diag

import "strings"

// Nearest returns the candidate that name was most likely meant to be: the
// same but for case, or with the fewest edits, at most one for every three
// letters of name. It returns "" if none is near, and the first of several
// equally near.
func Nearest(name string, candidates []string) string {
	best, bound := "", max(1, len(name)/3)+1
	for _, c := range candidates {
		if strings.EqualFold(c, name) {
			return c
		}
		if d := distance(name, c, bound); d < bound {
			best, bound = c, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour; it stops counting at bound.
func distance(a, b string, bound int) int {
	if abs(len(a)-len(b)) >= bound {
		return bound
	}
	var rows [3][]int
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
	}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev2, prev, cur := rows[0], rows[1], rows[2]
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = prev, cur, prev2
	}
	return min(rows[1][len(b)], bound)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
