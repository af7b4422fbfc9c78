//go:build unix

package omop

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// startTimeout is generous: the test machine may be busy.
const startTimeout = 60 * time.Second

// binaries finds the folder of PostgreSQL's programs, the newest version first.
func binaries(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.Sort(found)
	if len(found) == 0 {
		t.Skip("PostgreSQL (initdb, postgres) is not installed here")
	}
	return filepath.Dir(found[len(found)-1])
}

// asOther makes a command run as user postgres when the test runs as root,
// which PostgreSQL refuses.
func asOther(t *testing.T) (attr *syscall.SysProcAttr, own func(path string)) {
	t.Helper()
	if os.Getuid() != 0 {
		return nil, func(string) {}
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Skip("PostgreSQL does not run as root and there is no user postgres here")
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	own = func(path string) {
		if err := os.Chown(path, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, own
}

// startServer runs a private server on a socket in a temporary folder, points
// the PG* variables at it, and stops it with the test.
func startServer(t *testing.T) *pgx.Conn {
	t.Helper()
	bin := binaries(t)
	attr, own := asOther(t)
	// A socket's path must be short, so this is not t.TempDir.
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	own(dir)
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr = dir, attr
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
		return cmd
	}
	data := filepath.Join(dir, "data")
	if out, err := run("initdb", "-D", data, "-A", "trust", "-U", "tester", "-E", "UTF8", "--no-sync").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	var log bytes.Buffer
	server := run("postgres", "-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off")
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGINT)
		server.Wait()
	})
	for name, value := range map[string]string{
		"PGHOST": dir, "PGPORT": "5432", "PGUSER": "tester", "PGDATABASE": "postgres", "PGPASSWORD": "", "PGSERVICE": "", "PGSSLMODE": "disable",
	} {
		t.Setenv(name, value)
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, "")
		if err == nil {
			t.Cleanup(func() { conn.Close(context.Background()) })
			return conn
		}
		if ctx.Err() != nil {
			server.Process.Kill()
			server.Wait()
			t.Fatalf("the server does not answer: %v\n%s", err, log.String())
		}
		time.Sleep(50 * time.Millisecond)
	}
}
