package logs

import (
	"io"

	"github.com/gbt-policy/gbt/internal/corpora/parquet"
)

// contextsKey is in the metadata of corpora of contexts (internal/corpora/contexts), as
// gbt distill leaves them beside its policies.
const contextsKey = "gbt.contexts.version"

// policyMagic begins every policy (artifacts/FORMAT.md).
const policyMagic = "\x89GBT\r\n\x1a\n"

// reportHead begins every report of gbt distill --report.
const reportHead = "# Distilled policy "

// suiteHead begins every file of a regression suite
// (internal/replay/suite/SCHEMA.md).
const suiteHead = `{"gbt_suite":`

// proposalsHead and decisionsHead begin the files of proposals and of decisions
// (internal/gates/approval/SCHEMA.md).
const (
	proposalsHead = "{\n  \"format\": \"gbt proposals "
	decisionsHead = `{"payloadType":"application/vnd.gbt.decision+json",`
)

// episodesLayout is a Parquet file of episodes that this program wrote.
func episodesLayout() Layout {
	return Layout{
		Name: "gbt-episodes", Title: "episodes in Parquet, written by gbt import", Fields: lastField - 1,
		Note: "episodes keep the format and the origin they were imported with",
	}
}

// parquet reads a Parquet file: episodes of this program, or rows that are
// classified like records of any other file. Its directory is at the end, so
// one that does not come from disk is held in memory.
func (rd *reader) parquet(data []byte, rest io.Reader) {
	at := place{index: -1}
	r, size, ok := rd.atOnce(data, rest)
	if !ok {
		return
	}
	f, err := parquet.Open(r, size)
	switch {
	case err != nil:
		rd.problem(at, CodeBadArchive, "the Parquet file cannot be read: "+clip(err.Error(), 300))
	case f.Version() > 0:
		rd.parquetEpisodes(f)
	case f.Value(contextsKey) != "":
		rd.skipOwn(at, "a corpus of contexts that gbt distill wrote: no runs")
	default:
		rd.parquetRows(f)
	}
}

func (rd *reader) parquetEpisodes(f *parquet.File) {
	i, met := 0, map[string]bool{}
	for ep, err := range f.Episodes() {
		if err != nil {
			rd.problem(place{index: i}, CodeBadArchive, "the Parquet file cannot be read on: "+clip(err.Error(), 300))
			return
		}
		again, known := met[ep.Origin.File]
		if !known {
			again = rd.u.meets(ep.Origin.File)
			met[ep.Origin.File] = again
		}
		if again {
			rd.skipOwn(place{index: i}, "an episode that gbt import wrote, of a log that this run reads itself")
		} else {
			rd.emit(Record{Episode: ep})
		}
		if i++; rd.stopped {
			return
		}
	}
	if i == 0 {
		rd.skip(place{index: -1}, "a Parquet file without episodes")
	}
}

func (rd *reader) parquetRows(f *parquet.File) {
	i := 0
	for row, err := range f.Rows() {
		at := place{index: i}
		if err != nil {
			rd.problem(at, CodeBadArchive, "the Parquet file cannot be read on: "+clip(err.Error(), 300))
			break
		}
		if v := rd.parse(row, at); v != nil {
			rd.object(v, at)
		}
		if i++; rd.stop() {
			break
		}
	}
	rd.flush()
}
