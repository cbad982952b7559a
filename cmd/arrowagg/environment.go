package main

import (
	"os"
	"runtime"
)

// environment is all that the program reads of its surroundings.
func environment() []string {
	names := []string{"NO_COLOR", "TMPDIR", "GOMAXPROCS"}
	if runtime.GOOS == "windows" { // its calls ask these for the place of temporary files
		names = append(names, "TMP", "TEMP", "USERPROFILE", "SystemRoot")
	}
	return names
}

// forgetEnvironment drops all other variables, so that no library can find a
// locale, a time zone, a terminal or a file for its log in them.
func forgetEnvironment() {
	kept := map[string]string{}
	for _, name := range environment() {
		if value, ok := os.LookupEnv(name); ok {
			kept[name] = value
		}
	}
	os.Clearenv()
	for name, value := range kept {
		os.Setenv(name, value)
	}
}
