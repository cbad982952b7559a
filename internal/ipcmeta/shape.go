package ipcmeta

// shape lists the fields of a kind of table: how many bytes each takes up in
// it, in the order of their numbers. Whoever reads a table may follow any of
// its fields, and arrow-go does so without looking, so that all of them are
// verified where the table is found and not where one of them is used. Fields
// that a later version of the format adds come after these and nobody reads
// them.
type shape []uint8

// reference is the width of an offset to a table, vector or string.
const reference = 4

// The tables of Message.fbs, File.fbs and Schema.fbs.
var (
	messageShape     = shape{2, 1, reference, 8, reference}
	batchShape       = shape{8, reference, reference, reference, reference}
	compressionShape = shape{1, 1}
	dictionaryShape  = shape{8, reference, 1}
	footerShape      = shape{2, reference, reference, reference, reference}

	schemaShape   = shape{2, reference, reference, reference}
	fieldShape    = shape{reference, 1, 1, reference, reference, reference, reference}
	encodingShape = shape{8, reference, 1, 2}
	keyValueShape = shape{reference, reference}
	intShape      = shape{4, 1}
)

// headerShape is the shape of a message's header. What nobody reads of it, a
// tensor, has none.
func headerShape(headerType byte) shape {
	switch headerType {
	case headerSchema:
		return schemaShape
	case headerBatch:
		return batchShape
	case headerDictionary:
		return dictionaryShape
	}
	return nil
}

// typeShapes are those of the parameters of types, by tag. A tag that is not
// here, or has no parameters, has none.
var typeShapes = [256]shape{
	tagInt:             intShape,
	tagFloatingPoint:   {2},
	tagDecimal:         {4, 4, 4},
	tagDate:            {2},
	tagTime:            {2, 4},
	tagTimestamp:       {2, reference},
	tagInterval:        {2},
	tagUnion:           {2, reference},
	tagFixedSizeBinary: {4},
	tagFixedSizeList:   {4},
	tagMap:             {1},
	tagDuration:        {2},
}
