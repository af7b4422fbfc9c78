package result

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func TestWriteAndRead(t *testing.T) {
	ari := 0.25
	draws := []Draw{
		{Hand: "b", Law: "x", N: 300, Seed: 1},
		{Hand: "a", Law: "y", N: 2000, Seed: 1, Told: &Answer{ARI: &ari}},
		{Hand: "a", Law: "y", N: 300, Seed: 2},
		{Hand: "a", Law: "y", N: 300, Seed: 1, Alone: Answer{Error: "no <data> & none"}},
	}
	var out bytes.Buffer
	if err := Write(&out, draws); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&out)
	if err != nil {
		t.Fatal(err)
	}
	want := []Draw{draws[3], draws[2], draws[1], draws[0]}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v", got)
	}
}

func TestReadSaysTheLine(t *testing.T) {
	_, err := Read(strings.NewReader("{\"hand\":\"a\"}\n{\"fist\":1}\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}
