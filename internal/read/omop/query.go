package omop

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// table returns the quoted name of a table.
func table(schema, name string) string {
	if schema == "" {
		return quoted(name)
	}
	return quoted(schema) + "." + quoted(name)
}

// quoted returns a name that the server takes as it is.
func quoted(name string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(name, "\x00", ""), `"`, `""`) + `"`
}

// asked puts a question with one value to the server; the rows of the answer are
// texts, nil where there is none.
func asked(ctx context.Context, conn *pgconn.PgConn, question, value string) ([][][]byte, error) {
	r := conn.ExecParams(ctx, question, [][]byte{[]byte(value)}, nil, nil, nil).Read()
	return r.Rows, r.Err
}

// columns returns the columns of the unit, of the code and of the day in the table of
// events.
func (r *reader) columns() (unit, code, day string) {
	t := tables[r.o.Table]
	unit, code, day = "person_id", t.stem+"_concept_id", t.day
	if r.o.Unit == Visit {
		unit = "visit_occurrence_id"
	}
	if r.o.SourceValues {
		code = t.stem + "_source_value"
	}
	return unit, code, day
}

// query is the COPY statement. Sorting by unit and code makes the records and
// the order of the features the same each time; codes are compared as bytes,
// so that the language of the server does not matter.
func (r *reader) query() string {
	unit, code, day := r.columns()
	order := "t." + code
	if r.o.SourceValues {
		order += ` COLLATE "C"`
	}
	where := ""
	if r.o.Cohort > 0 {
		schema := r.o.CohortSchema
		if schema == "" {
			schema = r.o.Schema
		}
		where = fmt.Sprintf(" WHERE t.person_id IN (SELECT c.subject_id FROM %s c WHERE c.cohort_definition_id = %d)",
			table(schema, "cohort"), r.o.Cohort)
	}
	return fmt.Sprintf("COPY (SELECT t.%s, t.%s, t.%s FROM %s t%s ORDER BY t.%s, %s) TO STDOUT",
		unit, code, day, table(r.o.Schema, tables[r.o.Table].name), where, unit, order)
}

// titlesAtOnce is the number of concepts asked for in one query.
const titlesAtOnce = 10000

// titles reads the names of the concepts that came up, when the database has
// a concept table.
func (r *reader) titles(ctx context.Context, conn *pgconn.PgConn) error {
	if r.o.SourceValues || r.schema.Dict.Len() == 0 {
		return nil
	}
	concept := table(r.o.Schema, "concept")
	found, err := asked(ctx, conn, "SELECT to_regclass($1::text)", concept)
	if err != nil {
		return r.explain(ctx, err)
	}
	if len(found) == 0 || found[0][0] == nil {
		r.p.Note("the database has no table %s, so concepts are shown by their numbers", concept)
		return nil
	}
	r.schema.Titles = make(map[string]string, r.schema.Dict.Len())
	names := r.schema.Dict.Names()
	for from := 0; from < len(names); from += titlesAtOnce {
		if err := r.someTitles(ctx, conn, concept, names[from:min(from+titlesAtOnce, len(names))]); err != nil {
			return r.explain(ctx, err)
		}
	}
	if lacking := len(names) - len(r.schema.Titles); lacking > 0 {
		r.p.Note("%d of %d concepts have no name in %s", lacking, len(names), concept)
	}
	return nil
}

func (r *reader) someTitles(ctx context.Context, conn *pgconn.PgConn, concept string, names []string) error {
	for _, name := range names {
		if _, err := strconv.ParseInt(name, 10, 64); err != nil {
			return fmt.Errorf("the concept %q is not a number: %w", name, err)
		}
	}
	found, err := asked(ctx, conn, "SELECT concept_id::text, concept_name FROM "+concept+" WHERE concept_id = ANY($1::bigint[])", "{"+strings.Join(names, ",")+"}")
	for _, row := range found {
		r.schema.Titles[string(row[0])] = strings.TrimSpace(string(row[1]))
	}
	return err
}
