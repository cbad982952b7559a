package planner

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
)

// What the schema metadata of a partial result say.
const (
	partialKey = "arrowagg.partial" // the version of the format of states
	planKey    = "arrowagg.plan"    // Plan.text
	shardsKey  = "arrowagg.shards"  // shardSet.String, if the run was sharded
	runKey     = "arrowagg.run"     // Shard.Run, likewise

	partialVersion = "1"
)

// isPartial tells a partial result by its schema.
func isPartial(schema *arrow.Schema) bool {
	md := schema.Metadata()
	return md.FindKey(partialKey) >= 0
}

// OutputSchema is the schema that the result is written with. That of a partial
// result says what it is: of which plan, and which shards it holds, own being
// that of this run where its inputs are not partial results themselves.
func (p *Plan) OutputSchema(own Shard) *arrow.Schema {
	if !p.query.partial {
		return p.spec.Output
	}
	held, text := own.set(), ""
	if p.merging != nil {
		text = p.merging.text
		if p.merging.shards.count > 0 {
			held = p.merging.shards
		}
	} else {
		text = p.text()
	}
	keys, values := []string{partialKey, planKey}, []string{partialVersion, text}
	if held.count > 0 {
		keys, values = append(keys, shardsKey, runKey), append(values, held.String(), held.run)
	}
	md := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(p.spec.Output.Fields(), &md)
}

// export makes the plan one whose result is partial. The plan is bound from its
// own text once, so that no partial result is written that could not be merged.
func (p *Plan) export() error {
	exported, err := exporting(p.spec)
	if err != nil {
		return &UsageError{Text: "--partial: " + err.Error(), Hint: "aggregate the raw inputs in one run"}
	}
	again, err := bindText(p.text(), "the plan")
	if err != nil {
		return fmt.Errorf("--partial: the plan cannot be written down: %w", err)
	}
	if !again.spec.Output.Equal(p.spec.Output) {
		return fmt.Errorf("--partial: the plan cannot be written down: its columns would be others")
	}
	p.spec = exported
	return nil
}

// exporting is the spec with a partial result. The states' columns say that
// they must not be merged as numbers, should their schema's metadata get lost.
func exporting(spec groupby.Spec) (groupby.Spec, error) {
	p, err := spec.Exporting()
	if err != nil {
		return p, err
	}
	fields := p.Output.Fields()
	for i := len(p.Keys); i < len(fields); i++ {
		fields[i].Metadata = arrow.NewMetadata([]string{mergeKey}, []string{mergeNone})
	}
	p.Output = arrow.NewSchema(fields, nil)
	return p, nil
}

// CheckShard refuses a partial result that could not be merged with others: what
// depends on the order of the rows has to know where its inputs stand among
// those of one run.
func (p *Plan) CheckShard(own Shard) error {
	if !p.query.partial || p.merging != nil || own.Count > 0 {
		return nil
	}
	for _, a := range p.aggregates {
		if a.function.Ordered {
			return &UsageError{
				Text: fmt.Sprintf("--partial: %s needs --shard: without it nobody knows the order of all inputs", a.written),
				Hint: "give every worker all inputs and its --shard I/N, or --shard 1/1 to a worker alone",
			}
		}
	}
	return nil
}

// Merges tells whether the inputs are partial results.
func (p *Plan) Merges() bool { return p.merging != nil }

// Expect says what is missing unless the inputs hold exactly the shards of one
// run of n. It is for when all inputs were read.
func (p *Plan) Expect(n int) error {
	refuse := func(text string) error { return &ConflictError{Text: fmt.Sprintf("--expect %d: ", n) + text} }
	if p.merging == nil {
		return refuse("the inputs are no partial results")
	}
	held := p.merging.shards
	switch {
	case held.count == 0:
		return refuse("the partial results are not those of a sharded run")
	case held.count != n:
		return refuse(fmt.Sprintf("the partial results are of a run of %d shards", held.count))
	}
	lack := held.missing()
	if len(lack) == 0 {
		return nil
	}
	const shown = 20
	if more := len(lack) - shown; more > 0 {
		lack = append(lack[:shown], fmt.Sprintf("and %d more", more))
	}
	return refuse("missing shards: " + strings.Join(lack, ", "))
}

// MissingShards lists the shards of a run that partial results lack, as "2/4" or
// "5-7/16". It is for when all inputs were read.
func (p *Plan) MissingShards() []string {
	if p.merging == nil || p.merging.shards.count == 0 {
		return nil
	}
	lack := p.merging.shards.missing()
	for i := range lack {
		lack[i] = fmt.Sprintf("%s/%d", lack[i], p.merging.shards.count)
	}
	return lack
}
