package planner

import "strings"

// utc is the one spelling of UTC that results have.
const utc = "UTC"

// utcSpellings are the other ways to say UTC in a timestamp's zone: the links
// to it in the tz database, ISO 8601's Z, and the zero offsets that Arrow's
// format allows. GMT is a zone of its own there and stays one.
var utcSpellings = []string{
	"UTC", "Etc/UTC", "UCT", "Etc/UCT", "Universal", "Etc/Universal", "Zulu", "Etc/Zulu", "Z",
	"+00:00", "-00:00", "+0000", "-0000", "+00", "-00",
}

// normalZone folds the spellings of UTC into one and keeps any other zone.
func normalZone(zone string) string {
	for _, s := range utcSpellings {
		if strings.EqualFold(s, zone) {
			return utc
		}
	}
	return zone
}
