package spec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/interlock-go/interlock/spec/diag"
)

// Option changes what Load reads.
type Option func(*loader)

// Drop leaves out the checks and rows of the given names, such as
// "claim.busy", before anything is checked, with what the world and properties
// say of them by name. That nothing answers a code any more is no complaint then.
func Drop(names ...string) Option {
	return func(l *loader) {
		for _, n := range names {
			l.drop = append(l.drop, &node{kind: scalarNode, text: n})
		}
	}
}

// Until ends the reading of a table, with ctx's cause for an error, when ctx
// ends: a table whose events read much takes seconds.
func Until(ctx context.Context) Option {
	return func(l *loader) { l.ctx = ctx }
}

// Undecided reads a table although its front end refuses what it decides: what
// would be an error then is added to list, if the table can be run all the same.
// Such a table may have cells that no row decides, or several. It is for those
// who want to know what else finds the fault.
func Undecided(list *diag.List) Option {
	return func(l *loader) { l.undecided = list }
}

// ofDecisions are the complaints that leave a table which can be run.
var ofDecisions = []diag.Code{
	diag.Gap, diag.Overlap, diag.Undefined, diag.DeadRow, diag.DuplicateRow, diag.BadMove, diag.TwoUpdates, diag.StaleRead, diag.TooLarge,
}

type loader struct {
	drop      []*node
	ctx       context.Context
	undecided *diag.List // nil: there is no such thing
}

// Load reads and checks the table at path. The error is a diag.List when the
// table is wrong; errors.Is finds an error of the file system in it when a file
// can't be read. What is of no use is told by Table.Warnings. A table with a
// base looks for NAME.yaml beside itself, then in the folder above.
func Load(path string, opts ...Option) (*Table, error) {
	src, err := readTable(path)
	if err != nil {
		var diags diag.List
		d := diags.Add(diag.Unreadable, diag.Pos{File: filepath.ToSlash(path)}, "the table can't be read: %v", reason(err))
		d.Cause = err
		return nil, diags
	}
	return Read(path, src, opts...)
}

// readTable reads a file, but no more of it than shows that it is too large
// for a table: a device may have no end.
func readTable(path string) (src []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info, err := f.Stat(); err == nil && info.Mode().IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	}
	return io.ReadAll(io.LimitReader(f, maxTable+1))
}

// reason is what went wrong with a file, without its path.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Read is Load for a source already in memory; a base is still looked for
// beside path.
func Read(path string, src []byte, opts ...Option) (*Table, error) {
	l := loader{ctx: context.Background()}
	for _, o := range opts {
		o(&l)
	}
	var diags diag.List
	file := filepath.ToSlash(path)
	hash := sha256.New()
	hash.Write(src)
	root := parseYAML(file, src, &diags)
	if root == nil {
		return nil, diags.Err()
	}
	if root.kind != mappingNode {
		diags.Add(diag.WrongShape, root.pos, "a table is a mapping; this is %s", shapes[root.kind])
		return nil, diags.Err()
	}
	base := ""
	if b := root.get("base"); b != nil {
		base = b.text
		below, baseSrc := readBase(path, b, &diags)
		if below == nil {
			return nil, diags.Err()
		}
		hash.Write(baseSrc)
		root = merge(below, root)
	}
	r := &reader{diags: &diags}
	root = dropAll(root, append(r.words(root.get("drop")), l.drop...), &diags)
	t := build(l.ctx, root, r)
	if err := context.Cause(l.ctx); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	diags.Sort()
	if l.undecided != nil {
		diags = slices.DeleteFunc(diags, func(d *diag.Diagnostic) bool {
			told := slices.Contains(ofDecisions, d.Code)
			if told {
				*l.undecided = append(*l.undecided, d)
			}
			return told
		})
	}
	if err := diags.Err(); err != nil {
		return nil, err
	}
	t.Path, t.Base, t.Hash = file, base, hex.EncodeToString(hash.Sum(nil))
	return t, nil
}

func readBase(path string, name *node, diags *diag.List) (*node, []byte) {
	if name.kind != scalarNode || !isName(name.text) {
		diags.Add(diag.BadBase, name.pos, "a base is the name of a table beside this one, without .yaml")
		return nil, nil
	}
	dir := filepath.Dir(path)
	for _, d := range []string{dir, filepath.Dir(filepath.Clean(dir))} {
		file := filepath.Join(d, name.text+".yaml")
		src, err := readTable(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			diags.Add(diag.BadBase, name.pos, "the base can't be read: %v", reason(err))
			return nil, nil
		}
		root := parseYAML(filepath.ToSlash(file), src, diags)
		if root == nil {
			return nil, nil
		}
		if root.get("base") != nil {
			diags.Add(diag.BadBase, name.pos, "the base %s has a base itself; one level is allowed", name.text)
			return nil, nil
		}
		return root, src
	}
	diags.Add(diag.BadBase, name.pos, "there is no %s.yaml beside this table or in the folder above", name.text)
	return nil, nil
}
