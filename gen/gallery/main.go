// Command gallery shows that the tables in spec/gallery, published models
// written anew in this project's language, have the published numbers of
// states, for the explorer and for TLC.
//
//	go run ./gen/gallery [TABLE...]
//
// It exits with 1 if a number or a verdict differs, with 2 if none can be told.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/interlock-go/interlock/tla"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	fine, err := show(ctx, filepath.Join("spec", "gallery"), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(2)
	}
	if !fine {
		os.Exit(1)
	}
}

// show prints the models of the named tables, all if none is named, and
// reports whether all numbers are the published ones.
func show(ctx context.Context, dir string, names []string) (fine bool, err error) {
	all, err := published(filepath.Join(dir, "README.md"))
	if err != nil {
		return false, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(m model) bool { return m.table == name }) {
			return false, fmt.Errorf("no model of %s is listed", name)
		}
	}
	var results []*result
	_, noTLC := tla.Available(ctx)
	for _, m := range all {
		if len(names) > 0 && !slices.Contains(names, m.table) {
			continue
		}
		r, err := explored(ctx, dir, m)
		if err != nil {
			return false, err
		}
		if noTLC == nil {
			if err := r.prove(ctx); err != nil {
				return false, err
			}
		}
		results = append(results, r)
	}
	fine = print(os.Stdout, results)
	if noTLC != nil {
		fmt.Printf("TLC is left out: %v\n", noTLC)
		fine = fine && os.Getenv("CI") != "true"
	}
	return fine, nil
}
