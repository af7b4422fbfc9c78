package beam_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"hash/crc32"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fakeStore is a store of objects on this computer that speaks enough of the protocols
// of S3 and of Google Cloud Storage for Beam's file systems.
type fakeStore struct {
	mu      sync.Mutex
	objects map[string][]byte // bucket/name
	asked   []string          // names that were read
	refuse  bool              // everybody
}

func newFakeStore(t *testing.T) *fakeStore {
	t.Helper()
	s := &fakeStore{objects: map[string][]byte{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3": server.URL, "AWS_REGION": "eu-north-1", "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true",
		"STORAGE_EMULATOR_HOST": server.URL,
	} {
		t.Setenv(name, value)
	}
	return s
}

func (s *fakeStore) names(prefix string) (list []string) {
	for name := range s.objects {
		if strings.HasPrefix(name, prefix) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func (s *fakeStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.refuse:
		http.Error(w, "<Error><Code>AccessDenied</Code><Message>not for you</Message></Error>", http.StatusForbidden)
	case strings.HasPrefix(r.URL.Path, "/upload/storage/v1/b/"), strings.HasPrefix(r.URL.Path, "/storage/v1/b/"):
		s.google(w, r)
	case r.URL.Query().Has("list-type"):
		s.listed(w, strings.Trim(r.URL.Path, "/"), r.URL.Query().Get("prefix"))
	default:
		s.object(w, r, strings.TrimPrefix(r.URL.Path, "/"))
	}
}

// object reads, writes and removes an object by its address.
func (s *fakeStore) object(w http.ResponseWriter, r *http.Request, name string) {
	switch r.Method {
	case http.MethodPut:
		data, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Content-Encoding") == "aws-chunked" {
			http.Error(w, "body", http.StatusBadRequest)
			return
		}
		s.objects[name] = data
		w.Header().Set("ETag", `"1"`)
	case http.MethodGet, http.MethodHead:
		data, ok := s.objects[name]
		if !ok {
			http.Error(w, "<Error><Code>NoSuchKey</Code></Error>", http.StatusNotFound)
			return
		}
		s.asked = append(s.asked, name)
		w.Header().Set("X-Goog-Hash", fmt.Sprintf("crc32c=%s", crcWords(data)))
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		if r.Method == http.MethodGet {
			w.Write(data)
		}
	case http.MethodDelete:
		delete(s.objects, name)
		w.WriteHeader(http.StatusNoContent)
	}
}

// listed is the answer of S3 to a list.
func (s *fakeStore) listed(w http.ResponseWriter, bucket, prefix string) {
	type content struct{ Key string }
	var out struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Name     string
		Contents []content
	}
	out.Name = bucket
	for _, name := range s.names(bucket + "/" + prefix) {
		out.Contents = append(out.Contents, content{strings.TrimPrefix(name, bucket+"/")})
	}
	xml.NewEncoder(w).Encode(out)
}

// google answers as Google Cloud Storage does.
func (s *fakeStore) google(w http.ResponseWriter, r *http.Request) {
	_, rest, _ := strings.Cut(r.URL.Path, "/b/")
	bucket, rest, _ := strings.Cut(rest, "/o")
	name := bucket + "/" + strings.TrimPrefix(rest, "/")
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.Method == http.MethodPost:
		_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		parts := multipart.NewReader(r.Body, params["boundary"])
		var meta struct{ Name string }
		var data []byte
		for i := 0; err == nil && i < 2; i++ {
			var p *multipart.Part
			if p, err = parts.NextRawPart(); err != nil {
				break
			}
			if i == 0 {
				err = json.NewDecoder(p).Decode(&meta)
			} else {
				data, err = io.ReadAll(p)
			}
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.objects[bucket+"/"+meta.Name] = data
		fmt.Fprintf(w, `{"name":%q,"bucket":%q,"size":"%d","crc32c":%q}`, meta.Name, bucket, len(data), crcWords(data))
	case r.Method == http.MethodDelete:
		delete(s.objects, name)
		w.WriteHeader(http.StatusNoContent)
	default:
		var items []map[string]string
		for _, n := range s.names(bucket + "/" + r.URL.Query().Get("prefix")) {
			items = append(items, map[string]string{"name": strings.TrimPrefix(n, bucket+"/"), "bucket": bucket})
		}
		json.NewEncoder(w).Encode(map[string]any{"items": items})
	}
}

func crcWords(data []byte) string {
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return base64.StdEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, sum))
}
