// Package ipcread reads Arrow IPC streams and files that nobody has vouched
// for: from files, pipes, FIFOs, descriptors and sockets, through gzip, zstd or
// lz4, one stream or many in a row.
//
// # The way of the data
//
//	 names ─► input ─► content ─► walk ─► feeder ══ channel ══► Decoder ─► columns
//	          opened,  recognised step by  frames of            in the worker:
//	          mapped   by its     step:    undecoded            checks, decompresses,
//	          or a     first      framer   batches, with        builds what is asked
//	          pipe     bytes,     or file  dictionaries         for, and nothing else
//	                   unwrapped  walk     as they are there
//	└──────────────── one producer ────────────────┘            └─ many goroutines ─┘
//
// Open does the left half for regular files at once, without their bodies: all
// their schemas, and that they are whole, are known before any batch is
// decoded. Produce walks them again and sends frames. A pipe is walked once, by
// a goroutine of its own, which reads ahead no further than one batch until
// Produce is called and then within a bound of bytes.
//
// The types one meets:
//
//   - Set, the inputs of a run: Open, Streams, Produce, Fail, Verify, Reports,
//     Close; and Check, which does all of it to say only whether inputs are good.
//   - Stream, a schema and what follows it. Its address is its identity.
//   - Frame, one framed batch or a morsel of it, and Decoder, which makes
//     columns of it.
//   - Error, what is wrong with an input and where. All errors about inputs are
//     made here, once, with their position.
//
// Inside: input (what a name is), extent and source (bytes anywhere, bytes in
// order), content (what the bytes are), walk with its two implementations
// framer (stream format) and fileWalk (file format), feeder (from steps to
// frames), Dictionaries (immutable snapshots), lineage (a growing dictionary).
// Metadata is package ipcmeta's.
//
// # Invariants
//
// Every byte is accounted for. It belongs to a message, to an end marker, to
// padding after one, or it is an error. An input cut inside a message is
// truncated; one cut between two messages cannot be told from one that its
// writer did not finish, and is a warning.
//
// No claim takes memory. A length is held against its limit, and where the size
// of the input is known against what is left, before anything is allocated;
// where it is not known, memory grows as bytes come. Decoded buffers are bounded
// one by one (MaxBuffer) and in all (Scratch), bytes read from pipes by InFlight
// and one batch for every pipe, and those of one pipe by readAhead. Where memory is short, decoders take turns with
// batches that are large (Together) before any is refused.
//
// A value is read where it was checked. A mapped file may change under the
// reader, so an offset, an index or a length is read once, checked and used; and
// Verify compares size and time of every file after the last byte.
//
// What leads to values is checked here, what a value is where it is used: that a
// string is UTF-8, or a time one of the day, is cheap to know for an engine that
// looks at distinct values only. Check, behind which there is no engine, looks at
// all of them, into columns of nested types that no plan can use, and whether
// as many nulls were claimed as there are.
//
// The end of a channel is no success. Verify returning nil is.
//
// # Memory
//
// A frame's body belongs to the input: to a mapping, or to memory that is
// recycled when the last morsel of the batch is released. Arrays that a Decoder
// returns point into it, and into the decoder's scratch memory; they are valid
// until the next Decode or the frame's Release, whichever is first. What has to
// live longer is copied by whoever wants it. Dictionaries live as long as some
// frame or decoder refers to them.
//
// Of a mapped file a batch takes no memory of its own: a frame is used again once
// it is released. At 100 rows a batch that, and no errors.As for what is no
// error, took 10 to 25 % off the processor time of q1, q2 and q3.
//
// What has to be read is read where it stays: bodies straight into recycled
// memory, no further ahead than keeps workers busy (q3 of the benchmarks holds
// 85 MiB with 16 MiB read ahead, 129 with all of InFlight, and takes no longer).
// Of a body only the parts are read that used columns lie in (Use); on Linux
// splice(2) drops the rest of a pipe without copying it. Processor time of q1
// piped fell from 0.26 to 0.22 s by both, of q3 from 0.94 to 0.84 (medians of 7
// by turns under load). A larger pipe (F_SETPIPE_SZ, 1 MiB) brought nothing.
//
// A page of a mapping whose file shrank faults when it is touched. Decode turns
// that into an error; what is done with its arrays afterwards runs under Guard.
//
// # Concurrency
//
// One goroutine calls Produce; any number of them decode, each with a Decoder of
// its own. Release, Fail, Guard, Warnings and Reports may be called by anybody
// at any time between Open and Close. Open, Produce and Check end at once when
// their context does, whatever a pipe does: readers wait with poll(2) for the
// pipe or for the interrupt.
//
// # How to extend it
//
// A new compression around inputs is a magic number in sniff and a case in
// unwrap. A foreign format that deserves a name is a row of foreigns. Another
// system is a twin of the *_unix.go files. A new column type is a case where
// Decoder looks at types (column.go) and one in ipcmeta.
//
// The format is that of the Arrow columnar specification, "Serialization and
// Interprocess Communication"; comments name the place where a rule is not
// obvious. arrow-go parses schemas, once they are verified, and provides types
// and arrays; its readers are used by tests only.
package ipcread
