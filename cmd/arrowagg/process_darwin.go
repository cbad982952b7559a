package main

// maxrssUnit is the unit of rusage's maxrss: darwin counts bytes.
const maxrssUnit = 1
