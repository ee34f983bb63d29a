package lanesweb_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanesweb"
)

// A program that has a server already mounts the handler below a prefix. One on
// this machine reads who has which project.
func ExampleHandler() {
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	mux := http.NewServeMux()
	mux.Handle("/lanes/", http.StripPrefix("/lanes", lanesweb.Handler(m, lanesweb.Options{})))
	server := httptest.NewServer(mux) // say, http.ListenAndServe("127.0.0.1:8765", mux)
	defer server.Close()

	if _, err := m.Projects().Claim(context.Background(), "website", "nightly"); err != nil {
		log.Fatal(err)
	}
	answer, err := http.Get(server.URL + "/lanes/projects.json")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(body))

	// Output:
	// [{"project":"website","busy":true,"run":"nightly","state":"running"}]
}
