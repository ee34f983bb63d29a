package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen/diff"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// version is a table as it is somewhere: in a file, or at a revision of git.
type version struct {
	name string // as it was asked for
	rev  string // empty: the file as it is
	path string // of the file; empty: there is no such table
	top  bool   // path counts from the root of the repository
}

// tablePair is what is compared.
type tablePair struct{ old, new version }

// pairs returns what the arguments ask for.
func (f *diffFlags) pairs(cmd *cobra.Command, args []string) ([]tablePair, error) {
	ctx := cmd.Context()
	switch {
	case f.rev != "":
		return revisionPairs(ctx, f.rev, args)
	case len(args) == 0:
		return revisionPairs(ctx, "HEAD", nil)
	case isRevision(ctx, args[0]):
		return revisionPairs(ctx, args[0], args[1:])
	case len(args) == 2:
		return []tablePair{{parseVersion(args[0]), parseVersion(args[1])}}, nil
	}
	const takes = "diff takes two tables, OLD and NEW, or revisions and any number of tables"
	if _, err := os.Stat(args[0]); err == nil && len(args) == 1 {
		return nil, fmt.Errorf("%s; with what is committed %s is compared by %s diff --rev HEAD %s", takes, args[0], invocation(), args[0])
	}
	return nil, errors.New(takes)
}

// isRevision reports whether an argument is A, A..B or A...B, and no table.
func isRevision(ctx context.Context, arg string) bool {
	if _, err := os.Stat(arg); err == nil || filepath.Ext(arg) == ".yaml" || strings.Contains(arg, ":") || strings.HasPrefix(arg, "-") {
		return false
	}
	if a, b, ok := strings.Cut(arg, ".."); ok {
		return !strings.Contains(a, "/..") && !strings.HasPrefix(b, "/")
	}
	_, err := git(ctx, ".", "rev-parse", "--verify", "--quiet", arg+"^{commit}")
	return err == nil
}

// parseVersion reads a file's name or REV:PATH. A file of that name wins. As
// for git, PATH counts from the root of the repository unless it begins with
// ./ or ../
func parseVersion(arg string) version {
	if _, err := os.Stat(arg); err == nil {
		return version{name: arg, path: arg}
	}
	if rev, file, ok := strings.Cut(arg, ":"); ok && rev != "" && file != "" {
		top := !strings.HasPrefix(file, "./") && !strings.HasPrefix(file, "../")
		return version{name: arg, rev: rev, path: file, top: top}
	}
	return version{name: arg, path: arg}
}

// git runs git in dir and returns what it prints.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		if msg := strings.TrimSpace(errOut.String()); msg != "" {
			return "", fmt.Errorf("git %s: %s", args[0], msg)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return out.String(), nil
}

// revisionPairs compares tables between revisions; without tables it is all of
// spec/*.yaml of the module around the working directory, on either side.
func revisionPairs(ctx context.Context, spec string, args []string) ([]tablePair, error) {
	a, b, both := strings.Cut(spec, "..")
	if rest, ok := strings.CutPrefix(b, "."); ok {
		b = rest
		base, err := git(ctx, ".", "merge-base", a, orHead(b))
		if err != nil {
			return nil, err
		}
		a = strings.TrimSpace(base)
	}
	a = orHead(a)
	if both {
		b = orHead(b)
	}
	for _, rev := range []string{a, b} {
		if rev == "" {
			continue
		}
		if strings.HasPrefix(rev, "-") {
			return nil, fmt.Errorf("%q is no revision", rev)
		}
		if _, err := git(ctx, ".", "rev-parse", "--verify", "--quiet", rev+"^{commit}"); err != nil {
			return nil, fmt.Errorf("git knows no revision %q", rev)
		}
	}
	files := args
	if len(files) == 0 {
		var err error
		if files, err = tablesAt(ctx, a, b); err != nil {
			return nil, err
		}
	}
	var out []tablePair
	for _, file := range files {
		p := tablePair{version{rev: a, path: file}, version{rev: b, path: file}}
		for _, v := range []*version{&p.old, &p.new} {
			if err := v.find(ctx); err != nil {
				return nil, err
			}
		}
		if p.old.path == "" && p.new.path == "" {
			return nil, fmt.Errorf("%s is in neither revision", file)
		}
		out = append(out, p)
	}
	return joinMoved(ctx, a, b, out)
}

// alike is how much of a table that was moved must be the same, for git: with
// its machine many a name may have changed.
const alike = "-M30%"

// joinMoved makes one pair of the two that are a table under its old name and
// the same under its new one, as git sees it.
func joinMoved(ctx context.Context, a, b string, pairs []tablePair) ([]tablePair, error) {
	only := func(p tablePair) bool { return p.old.path == "" || p.new.path == "" }
	if !slices.ContainsFunc(pairs, only) {
		return pairs, nil
	}
	args := []string{"diff", "--relative", "--name-status", "-z", "--diff-filter=R", alike, a}
	if b != "" {
		args = append(args, b)
	}
	listed, err := git(ctx, ".", append(args, "--")...)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(listed, "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		was := slices.IndexFunc(pairs, func(p tablePair) bool { return p.new.path == "" && filepath.ToSlash(p.old.path) == fields[i+1] })
		is := slices.IndexFunc(pairs, func(p tablePair) bool { return p.old.path == "" && filepath.ToSlash(p.new.path) == fields[i+2] })
		if was >= 0 && is >= 0 {
			pairs[is].old = pairs[was].old
			pairs = slices.Delete(pairs, was, was+1)
		}
	}
	return pairs, nil
}

func orHead(rev string) string {
	if rev == "" {
		return "HEAD"
	}
	return rev
}

// find empties the path of a version that isn't there.
func (v *version) find(ctx context.Context) error {
	v.name = v.path
	if v.rev == "" {
		if _, err := os.Stat(v.path); errors.Is(err, os.ErrNotExist) {
			v.path = ""
		}
		return nil
	}
	v.name = v.rev + ":" + v.path
	rel, err := v.inRepository(ctx)
	if err != nil {
		return err
	}
	if _, err := git(ctx, ".", "cat-file", "-e", v.rev+":"+rel); err != nil {
		v.path = ""
	}
	return nil
}

// inRepository returns the path from the root of the repository.
func (v *version) inRepository(ctx context.Context) (string, error) {
	if v.top {
		return path.Clean(filepath.ToSlash(v.path)), nil
	}
	if filepath.IsAbs(v.path) {
		top, err := git(ctx, ".", "rev-parse", "--show-toplevel")
		if err != nil {
			return "", err
		}
		rel, err := filepath.Rel(strings.TrimSpace(top), v.path)
		return filepath.ToSlash(rel), err
	}
	prefix, err := git(ctx, ".", "rev-parse", "--show-prefix")
	return path.Join(strings.TrimSpace(prefix), filepath.ToSlash(v.path)), err
}

// tablesAt lists spec/*.yaml of the module at both revisions; b may be empty,
// for the files as they are.
func tablesAt(ctx context.Context, a, b string) ([]string, error) {
	root, err := moduleRoot(".")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(root, "spec")
	var out []string
	for i, rev := range []string{a, b} {
		var found []string
		if i == 1 && rev == "" {
			if found, err = filepath.Glob(filepath.Join(dir, "*.yaml")); err != nil {
				return nil, err
			}
		} else {
			listed, err := git(ctx, ".", "ls-tree", "--name-only", "-z", rev, dir+string(filepath.Separator))
			if err != nil {
				return nil, err
			}
			for name := range strings.SplitSeq(listed, "\x00") {
				if filepath.Ext(name) == ".yaml" {
					found = append(found, filepath.FromSlash(name))
				}
			}
		}
		for _, f := range found {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	slices.Sort(out)
	if len(out) == 0 {
		return nil, fmt.Errorf("no table was named, and there is none in %s", dir)
	}
	return out, nil
}

// load reads a version's table. What is wrong with it is failed, an error that
// nothing could be read at all.
func (v *version) load(ctx context.Context) (t *spec.Table, failed *diff.Failed, err error) {
	file, show := v.path, func(s string) string { return s }
	if v.rev != "" {
		dir, err := os.MkdirTemp("", "interlock-diff-")
		if err != nil {
			return nil, nil, err
		}
		defer os.RemoveAll(dir)
		if file, err = v.extract(ctx, dir); err != nil {
			return nil, nil, err
		}
		prefix := filepath.ToSlash(dir) + "/"
		show = func(s string) string { return strings.ReplaceAll(s, prefix, v.rev+":") }
	}
	t, err = spec.Load(file)
	var list diag.List
	if errors.As(err, &list) {
		failed = &diff.Failed{Table: v.name}
		for _, d := range list {
			var b strings.Builder
			if err := diag.Write(&b, diag.List{d}, readSource); err != nil {
				return nil, nil, err
			}
			failed.Diagnostics = append(failed.Diagnostics, strings.TrimRight(show(b.String()), "\n"))
		}
		return nil, failed, nil
	}
	if err != nil {
		return nil, nil, err
	}
	t.Path = v.name
	return t, nil, nil
}

// extract writes the table and those that may be its base below dir, and
// returns where the table is.
func (v *version) extract(ctx context.Context, dir string) (string, error) {
	rel, err := v.inRepository(ctx)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(v.rev, "-") || strings.HasPrefix(rel, "../") {
		return "", fmt.Errorf("%s is no file of this repository", v.name)
	}
	top, err := git(ctx, ".", "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	top = strings.TrimSpace(top)
	names := []string{rel}
	for _, folder := range []string{path.Dir(rel), path.Dir(path.Dir(rel))} {
		listed, err := git(ctx, top, "ls-tree", "--name-only", "-z", v.rev, path.Clean(folder)+"/")
		if err != nil {
			return "", err
		}
		for name := range strings.SplitSeq(listed, "\x00") {
			if path.Ext(name) == ".yaml" && name != rel {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		text, err := git(ctx, top, "show", v.rev+":"+name)
		if err != nil {
			return "", err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, filepath.FromSlash(rel)), nil
}

// compare compares a pair. A table that is on one side alone is new or gone.
func (p *tablePair) compare(ctx context.Context, o diff.Options) (*diff.Report, error) {
	if p.old.path == "" || p.new.path == "" {
		return diff.Alone(p.old.name, p.new.name, p.old.path == ""), nil
	}
	var tables [2]*spec.Table
	var bad []diff.Failed
	for i, v := range []*version{&p.old, &p.new} {
		t, failed, err := v.load(ctx)
		if err != nil {
			return nil, err
		}
		if failed != nil {
			bad = append(bad, *failed)
		}
		tables[i] = t
	}
	if bad != nil {
		return diff.Unreadable(p.old.name, p.new.name, bad), nil
	}
	return diff.Tables(ctx, tables[0], tables[1], o)
}
