//go:build armbe || arm64be || m68k || mips || mips64 || mips64p32 || ppc || ppc64 || s390 || s390x || sparc || sparc64

package ipcread

// Streams of both byte orders are read, but the decoded arrays are taken for
// little-endian memory here and by whoever packs their values into words.
var _ = arrowaggNeedsALittleEndianMachine
