package main

import (
	"context"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/ipcread"
)

// errNotOK ends a check that found a bad input: its row says what is wrong.
var errNotOK = errors.New("not every input is ok")

// check reads everything and prints a row per input.
func (r *runner) check(ctx context.Context) error {
	out, err := r.openOutput()
	if err != nil {
		return err
	}
	defer out.Abort()
	reports, found, err := ipcread.Check(ctx, r.meaning.inputs, r.inputOptions(), r.opts.threads)
	if err != nil {
		return err
	}
	if err := r.warnings.tell(found); err != nil {
		return err
	}
	if err := r.writeOne(out, reportBatch(reports)); err != nil {
		return err
	}
	for _, p := range reports {
		if p.Problem != "" {
			return errNotOK
		}
	}
	return nil
}

var reportSchema = arrow.NewSchema([]arrow.Field{
	{Name: "input", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "format", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "streams", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "batches", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "rows", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "status", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "problem", Type: arrow.BinaryTypes.String, Nullable: true},
}, nil)

func reportBatch(reports []ipcread.Report) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, reportSchema)
	defer b.Release()
	for _, p := range reports {
		b.Field(0).(*array.StringBuilder).Append(p.Input)
		b.Field(1).(*array.StringBuilder).Append(p.Format)
		b.Field(2).(*array.Int64Builder).Append(int64(p.Streams))
		b.Field(3).(*array.Int64Builder).Append(p.Batches)
		b.Field(4).(*array.Int64Builder).Append(p.Rows)
		b.Field(5).(*array.StringBuilder).Append(p.Status)
		if p.Problem == "" {
			b.Field(6).AppendNull()
		} else {
			b.Field(6).(*array.StringBuilder).Append(p.Problem)
		}
	}
	return b.NewRecordBatch()
}
