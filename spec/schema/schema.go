// Package schema has the JSON Schema of tables: what an editor knows of a table
// while one writes it. It tells of keys and shapes; names, types, expressions
// and decisions are for package spec.
package schema

import _ "embed"

// Name is what the schema's file is called beside a table.
const Name = "interlock.schema.json"

// JSON is the schema, of draft 2020-12.
//
//go:embed table.schema.json
var JSON []byte
