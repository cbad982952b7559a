package ipcread

// Report is what is known of one input: a row of --check, and what --stats
// adds up.
type Report struct {
	Input   string // as errors call it, UTF-8
	Format  string // "stream", "file", "gzip stream", "unknown"
	Streams int
	Batches int64
	Rows    int64  // of one reading, however often the input is fed
	Bytes   int64  // read, before unwrapping
	Sized   bool   // a regular file: Rows and Bytes are all it has, known when it is opened
	Status  string // "ok" or "error"
	Problem string // "" if ok; else the error without the input's name
}

// Reports returns one row per input, in the order of the inputs. While Produce
// runs, pipes are reported as far as they were read.
func (s *Set) Reports() []Report {
	reports := make([]Report, len(s.inputs))
	for i, in := range s.inputs {
		reports[i] = in.report()
		if !s.takes(in) { // nothing but its schemas was wanted
			r := &reports[i]
			r.Batches, r.Rows, r.Bytes = 0, 0, 0
		}
	}
	return reports
}

func (in *input) report() Report {
	in.mu.Lock()
	defer in.mu.Unlock()
	r := Report{
		Input: in.name, Format: in.format, Streams: len(in.streams),
		Batches: in.tally.batches, Rows: in.tally.rows, Bytes: in.read.Load(), Status: "ok",
	}
	if in.info != nil {
		r.Sized, r.Bytes = true, max(in.size(), 0)
	}
	if in.failed != nil {
		r.Status, r.Problem = "error", in.failed.Problem()
	}
	return r
}
