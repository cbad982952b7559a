//go:build duckdb_arrow

// Command duckdbgo is DuckDB through its Go binding: the Arrow stream is mapped
// and scanned where it lies, the result comes back as Arrow batches.
//
// The binding's scan goes through the C stream interface, which cannot pass a
// projection on to the producer. So the scan is offered the columns of the
// query alone, and the optimizer unused_columns, which would make it take one
// column for another, is off.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/duckdb/duckdb-go/v2"

	"arrowagg/bench/internal/job"
	"arrowagg/bench/internal/mapped"
)

func main() { job.Main(version, run) }

func version() (string, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return "", err
	}
	defer db.Close()
	var v string
	if err := db.QueryRow("SELECT version()").Scan(&v); err != nil {
		return "", err
	}
	return "DuckDB " + v[1:] + " (Go)", nil
}

func run(j job.Job) error {
	ctx := context.Background()
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		return err
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, setting := range []string{
		"SET disabled_optimizers = 'unused_columns'",
		"SET preserve_insertion_order = false",
		"SET temp_directory = '" + filepath.Dir(j.Output) + "'",
	} {
		if err := execute(ctx, conn.(*duckdb.Conn), setting); err != nil {
			return fmt.Errorf("%s: %w", setting, err)
		}
	}
	arrow, err := duckdb.NewArrowFromConn(conn)
	if err != nil {
		return err
	}
	input, err := mapped.OpenColumns(j.Input, j.Columns())
	if err != nil {
		return err
	}
	release, err := arrow.RegisterView(input, "input")
	if err != nil {
		return err
	}
	defer release()
	result, err := arrow.QueryContext(ctx, j.SQL("input"))
	if err != nil {
		return err
	}
	defer result.Release()
	f, err := os.Create(j.Output)
	if err != nil {
		return err
	}
	w := ipc.NewWriter(f, ipc.WithSchema(result.Schema()))
	for result.Next() {
		if err := w.Write(result.RecordBatch()); err != nil {
			return err
		}
	}
	return errors.Join(result.Err(), w.Close(), f.Close())
}

func execute(ctx context.Context, conn *duckdb.Conn, text string) error {
	_, err := conn.ExecContext(ctx, text, nil)
	return err
}
