// Package omop reads diagnoses, drugs or procedures from a database in the
// OMOP common data model on PostgreSQL.
//
// It takes a connection described by the PG* environment variables and gives
// one record for each person or visit, in the order of their numbers, with the
// concepts (or the codes of the source) as presences; concept names become
// titles. Rows are streamed by COPY, sorted by the server, inside one
// read-only snapshot: memory does not grow with the table, and cancelling the
// context ends the query on the server.
//
// Step in the flow: database -> read/omop -> record. It must not know code
// tables, thresholds or models.
package omop

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/record"
)

// Unit says what one record is.
type Unit int

// Units.
const (
	Person Unit = iota
	Visit
)

// Table is the table of events.
type Table int

// Tables.
const (
	Condition Table = iota // condition_occurrence
	Drug                   // drug_exposure
	Procedure              // procedure_occurrence
)

// tables gives the name of each table, the stem of its columns and the column of an
// event's first day.
var tables = [...]struct{ name, stem, day string }{
	Condition: {"condition_occurrence", "condition", "condition_start_date"},
	Drug:      {"drug_exposure", "drug", "drug_exposure_start_date"},
	Procedure: {"procedure_occurrence", "procedure", "procedure_date"},
}

// Side columns of every record: the days of its first and its last event, named as in the
// cohort table that its group may become.
const (
	FirstDay = "cohort_start_date"
	LastDay  = "cohort_end_date"
)

// Options of the reader; the zero value works.
type Options struct {
	// DSN may name host, port, user and database; what it leaves out comes from
	// PGHOST, PGPORT, PGUSER, PGDATABASE, PGPASSWORD and the like. A password in
	// it is refused: arguments can be seen by every user of a machine.
	DSN string
	// Schema holds the tables. Empty: the search path of the database.
	Schema string
	Table  Table
	Unit   Unit
	// SourceValues takes the codes as they were in the source
	// (condition_source_value) instead of the standard concepts.
	SourceValues bool
	// Cohort restricts the persons to the subjects of this
	// cohort_definition_id. Zero: all persons.
	Cohort int64
	// CohortSchema holds the cohort table. Empty: Schema.
	CohortSchema string
}

type reader struct {
	o      Options
	config *pgconn.Config
	p      *record.Problems
	schema record.Schema
}

// password finds a password in the keyword form of a connection string.
var password = pattern.New(`(?i)(^|\s)(ssl)?password\s*=`)

// New returns a source of the database; it does not connect yet.
func New(o Options, p *record.Problems) (record.Source, error) {
	if hasPassword(o.DSN) {
		return nil, errors.New("the connection string holds a password, which others on this machine could see; set PGPASSWORD or use a .pgpass file instead")
	}
	if o.Table < 0 || int(o.Table) >= len(tables) || o.Unit < 0 || o.Unit > Visit {
		return nil, fmt.Errorf("table %d or unit %d is not known", o.Table, o.Unit)
	}
	if o.Cohort < 0 {
		return nil, fmt.Errorf("cohort %d: cohort_definition_id must be positive", o.Cohort)
	}
	config, err := pgconn.ParseConfig(o.DSN)
	if err != nil {
		return nil, fmt.Errorf("the connection settings cannot be read, check the PG* environment variables: %w", err)
	}
	r := &reader{o: o, config: config, p: p}
	r.schema = record.Schema{Format: "omop", Kind: record.Presence, Dict: record.NewDict(), Side: []string{FirstDay, LastDay}}
	return r, nil
}

func hasPassword(dsn string) bool {
	if strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://") {
		u, err := url.Parse(dsn)
		if err != nil {
			return strings.Contains(dsn, "@") || strings.Contains(strings.ToLower(dsn), "password")
		}
		if _, set := u.User.Password(); set {
			return true
		}
		for key := range u.Query() {
			if k := strings.ToLower(key); k == "password" || k == "sslpassword" {
				return true
			}
		}
		return false
	}
	return password.MatchString(dsn)
}

// Schema implements record.Source.
func (r *reader) Schema() *record.Schema { return &r.schema }

// Read implements record.Source.
func (r *reader) Read(ctx context.Context, yield func(*record.Batch) error) error {
	conn, err := pgconn.ConnectConfig(ctx, r.config)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("cannot connect to PostgreSQL; set PGHOST, PGPORT, PGDATABASE, PGUSER and PGPASSWORD or a .pgpass file: %w", err)
	}
	// The connection may have been given up by a cancelled context; its clean-up
	// sends the server the request to stop, and is waited for.
	defer func() {
		conn.Close(context.WithoutCancel(ctx))
		<-conn.CleanupDone()
	}()
	if _, err := conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").ReadAll(); err != nil {
		return r.explain(ctx, err)
	}
	w := &rows{r: r, yield: yield}
	if _, err := conn.CopyTo(ctx, w, r.query()); err != nil {
		if w.err != nil {
			return w.err
		}
		return r.explain(ctx, err)
	}
	if err := w.close(); err != nil {
		return err
	}
	return r.titles(ctx, conn)
}

// explain adds the remedy to errors of the server.
func (r *reader) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var e *pgconn.PgError
	if errors.As(err, &e) {
		switch e.Code {
		case "42P01", "3F000": // no such table, no such schema
			return fmt.Errorf("the database has no such table (%s); name the schema of the OMOP tables: %w", e.Message, err)
		case "42703": // no such column
			return fmt.Errorf("the table is not of the OMOP common data model (%s): %w", e.Message, err)
		case "42501":
			return fmt.Errorf("the database user may not read the table (%s); ask for the right SELECT: %w", e.Message, err)
		}
	}
	return fmt.Errorf("reading from PostgreSQL: %w", err)
}
