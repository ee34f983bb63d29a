package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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

type loader struct {
	drop []*node
}

// Load reads and checks the table at path. The error is a diag.List when the
// table is wrong, and wraps fs errors when a file can't be read. A table with a
// base looks for NAME.yaml beside itself, then in the folder above.
func Load(path string, opts ...Option) (*Table, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the table: %w", err)
	}
	return Read(path, src, opts...)
}

// Read is Load for a source already in memory; a base is still looked for
// beside path.
func Read(path string, src []byte, opts ...Option) (*Table, error) {
	var l loader
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
	t := build(root, r, len(l.drop) > 0)
	diags.Sort()
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
		src, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			diags.Add(diag.BadBase, name.pos, "the base can't be read: %v", err)
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
