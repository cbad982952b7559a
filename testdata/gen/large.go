package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// large is one input made on demand.
type large struct {
	rows    int64
	out     string
	batch   int
	codec   string
	file    bool
	hosts   int
	minutes int
	seed    uint64
}

func (l large) write() error {
	if l.rows < 1 || l.out == "" || l.batch < 1 || l.hosts < 1 || l.minutes < 1 {
		return fmt.Errorf("-rows and -out go together; -rows, -batch, -hosts and -minutes are at least 1")
	}
	options := []ipc.Option{ipc.WithSchema(schema)}
	switch l.codec {
	case "none":
	case "lz4":
		options = append(options, ipc.WithLZ4())
	case "zstd":
		options = append(options, ipc.WithZstd())
	default:
		return fmt.Errorf("-codec: unknown codec %q", l.codec)
	}
	f, err := os.Create(l.out)
	if err != nil {
		return err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<20)
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	} = ipc.NewWriter(buffered, options...)
	if l.file {
		if w, err = ipc.NewFileWriter(buffered, options...); err != nil {
			return err
		}
	}
	t := traffic{source: rand.NewPCG(l.seed, 0), hosts: l.hosts, minutes: l.minutes}
	for from := int64(0); from < l.rows; from += int64(l.batch) {
		rec := t.batch(from, min(int64(l.batch), l.rows-from), l.rows)
		err := w.Write(rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return f.Close()
}
