package arrowtest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// extensionName is the field metadata that makes a column an extension type.
// Written as metadata it needs no registration, and reads back the same.
const extensionName = "ARROW:extension:name"

// parseField reads `name type [not null] [{key=value, …}]`.
func parseField(text string) (arrow.Field, error) {
	name, rest, err := cutName(text)
	if err != nil {
		return arrow.Field{}, err
	}
	var keys, values []string
	if i := strings.IndexByte(rest, '{'); i >= 0 {
		if !strings.HasSuffix(rest, "}") {
			return arrow.Field{}, fmt.Errorf("metadata of %q has no closing brace", name)
		}
		for _, pair := range split(rest[i+1:len(rest)-1], ',') {
			key, value, _ := strings.Cut(pair, "=")
			keys, values = append(keys, key), append(values, value)
		}
		rest = strings.TrimSpace(rest[:i])
	}
	rest, notNull := strings.CutSuffix(rest, " not null")
	if inner, ok := cutBrackets(rest, "extension<", ">"); ok {
		extension, storage, _ := strings.Cut(inner, ",")
		keys, values = append(keys, extensionName), append(values, extension)
		rest = strings.TrimSpace(storage)
	}
	dt, err := ParseType(rest)
	if err != nil {
		return arrow.Field{}, fmt.Errorf("field %q: %w", name, err)
	}
	return arrow.Field{Name: name, Type: dt, Nullable: !notNull, Metadata: arrow.NewMetadata(keys, values)}, nil
}

func cutName(text string) (name, rest string, err error) {
	if strings.HasPrefix(text, `"`) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", fmt.Errorf("bad column name in %q", text)
		}
		name, err := strconv.Unquote(quoted)
		return name, strings.TrimSpace(text[len(quoted):]), err
	}
	name, rest, ok := strings.Cut(text, " ")
	if !ok {
		return "", "", fmt.Errorf("a field is a name and a type, not %q", text)
	}
	return name, strings.TrimSpace(rest), nil
}

// fieldText is parseField's inverse.
func fieldText(f arrow.Field) string {
	name := f.Name
	if name == "" || strings.ContainsAny(name, "\"|#@ \t\n") || strings.HasPrefix(name, "---") {
		name = strconv.Quote(name)
	}
	dt := TypeText(f.Type)
	var pairs []string
	for i, key := range f.Metadata.Keys() {
		value := f.Metadata.Values()[i]
		if key == extensionName {
			dt = "extension<" + value + ", " + dt + ">"
			continue
		}
		pairs = append(pairs, key+"="+value)
	}
	text := name + " " + dt
	if !f.Nullable {
		text += " not null"
	}
	if len(pairs) > 0 {
		text += " {" + strings.Join(pairs, ", ") + "}"
	}
	return text
}

func cutBrackets(text, open, closing string) (string, bool) {
	inner, ok := strings.CutPrefix(text, open)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(inner, closing)
}
