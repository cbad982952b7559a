package main

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// snapshot is a run at one moment.
type snapshot struct {
	stage   stage
	inputs  int
	elapsed time.Duration // since reading began, or before that the run
	bytes   float64       // read
	of      float64       // bytes that there are; 0: nobody knows
	rows    int64
	groups  int64 // 0: nobody knows yet
	others  bool  // there may be more
	spilled int64 // bytes
}

// line is what the progress line says, in ASCII.
//
//	52%  2.1 of 4.0 GiB, 48.1 M rows, 21.3 M rows/s, 1440 groups, 2 s left
//	2.1 GiB, 48.1 M rows, 21.3 M rows/s, 1.2 M+ groups
func (s snapshot) line() string {
	seconds := s.elapsed.Seconds()
	rate := quantity(int64(float64(s.rows)/max(seconds, 1e-3))) + " rows/s" + s.countGroups() + s.countSpilled()
	switch {
	case s.stage == stageOpening:
		return fmt.Sprintf("opening %s, %s", countInputs(s.inputs), duration(s.elapsed))
	case s.stage == stageChecking:
		return fmt.Sprintf("checking %s, %s", countInputs(s.inputs), duration(s.elapsed))
	case s.stage == stageFinishing:
		return fmt.Sprintf("%s, %s rows read%s; sorting the result", size(s.bytes), quantity(s.rows), s.countSpilled())
	case s.of == 0:
		return fmt.Sprintf("%s, %s rows, %s", size(s.bytes), quantity(s.rows), rate)
	}
	share := s.bytes / s.of
	line := fmt.Sprintf("%2d%%  %s of %s, %s rows, %s", int(100*share), size(s.bytes), size(s.of), quantity(s.rows), rate)
	if share > 0 {
		left := seconds * (1 - share) / share
		line += ", " + duration(time.Duration(min(left, 1e9)*float64(time.Second))) + " left"
	}
	return line
}

func (s snapshot) countGroups() string {
	switch {
	case s.groups == 0:
		return ""
	case s.others:
		return ", " + quantity(s.groups) + "+ groups"
	case s.groups == 1:
		return ", 1 group"
	}
	return ", " + quantity(s.groups) + " groups"
}

func (s snapshot) countSpilled() string {
	if s.spilled == 0 {
		return ""
	}
	return ", " + size(float64(s.spilled)) + " spilled"
}

func countInputs(n int) string {
	if n == 1 {
		return "1 input"
	}
	return strconv.Itoa(n) + " inputs"
}

// quantity writes a number with three digits and a unit of a thousand.
func quantity(n int64) string {
	if n < 10_000 {
		return strconv.FormatInt(n, 10)
	}
	return scaled(float64(n), 1000, []string{"", " k", " M", " G", " T", " P", " E"})
}

// size writes bytes in powers of 1024.
func size(bytes float64) string {
	return scaled(bytes, 1024, []string{" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"})
}

func scaled(value, unit float64, names []string) string {
	i := 0
	for value >= unit && i < len(names)-1 {
		value /= unit
		i++
	}
	digits := 1
	if i == 0 || value >= 99.95 {
		digits = 0
	}
	return strconv.FormatFloat(value, 'f', digits, 64) + names[i]
}

// duration writes a time as people say it.
func duration(d time.Duration) string {
	seconds := int64(math.Round(d.Seconds()))
	switch {
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d min %d s", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%d h %d min", seconds/3600, seconds%3600/60)
}
