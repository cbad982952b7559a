// Package ipcmeta reads Arrow IPC metadata, which is flatbuffers, from bytes
// that nobody has vouched for.
//
// A message of a stream is a small flatbuffer and a body; a file ends in a
// footer, which is a flatbuffer too. This package turns them into plain Go
// values and knows nothing of bodies, columns' values or streams:
//
//	metadata bytes ──► ParseMessage ─► Message ─┬─ Schema()       (schema header)
//	                                            ├─ Rows, Node, Buffer, …  (record batch header)
//	                                            └─ Dictionary()   (dictionary header: the above and an id)
//	footer bytes   ──► ParseFooter  ─► Footer: schema, blocks
//
// What is promised, whatever the bytes are:
//
//   - no panic, no endless loop, no recursion deeper than [MaxDepth];
//   - of a table that is found all fields are in the bytes, also those that
//     only arrow-go will read;
//   - nothing is read outside the bytes given, and nothing is allocated in
//     proportion to a number that the bytes only claim;
//   - tables and vectors may be shared inside one flatbuffer, and a few hundred
//     bytes can unfold to a tree of any size that way, so that everything
//     visited is charged against a budget proportional to the metadata;
//   - a flatbuffer offset is unsigned and relative to where it stands, and
//     every target has to lie inside the buffer, so references only lead
//     forward and cannot form a cycle.
//
// A Message refers to the bytes it was parsed from. Its node, buffer and
// variadic vectors were located while parsing, so that reading one of their
// entries later is in bounds even if the bytes have changed in between (they
// may lie in the mapping of a file that somebody rewrites). Entries are not
// interpreted here: whoever uses one has to read it once, check it, and use
// what was checked.
//
// The schema is the one thing that arrow-go parses: its reader is good at it
// once it is known that the flatbuffer is sound. It hides the ids of
// dictionaries, so Schema carries the tree of columns that the walk over
// record batches needs beside arrow-go's own.
//
// Values are safe for concurrent use once made. Format rules are those of
// Schema.fbs, Message.fbs and File.fbs of the Arrow columnar format.
package ipcmeta
