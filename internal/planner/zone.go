package planner

import "arrowagg/internal/zone"

// utc is the one spelling of UTC that results have.
const utc = "UTC"

// normalZone folds the spellings of UTC into one and keeps any other zone.
func normalZone(name string) string {
	if zone.IsUTC(name) {
		return utc
	}
	return name
}
