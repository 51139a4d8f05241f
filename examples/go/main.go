// Reads and changes the settings of a guild with Go's standard library.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

// Guild is the record of a guild.
type Guild struct {
	ID                  string   `json:"id"`
	Name                string   `json:"name"`
	Icon                *string  `json:"icon"`
	Prefix              string   `json:"prefix"`
	AnnouncementChannel string   `json:"announcement_channel"`
	Beta                bool     `json:"beta"`
	Language            string   `json:"language"`
	EnabledFeatures     []string `json:"enabledFeatures"`
}

// History is a part of the history of a guild, the newest change first.
type History struct {
	Entries []struct {
		Revision int `json:"revision"`
		Changes  map[string]struct {
			From any `json:"from"`
			To   any `json:"to"`
		} `json:"changes"`
	} `json:"entries"`
}

// Problem is the document of every refusal (RFC 9457).
type Problem struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Issues []struct {
		Pointer string `json:"pointer"`
		Message string `json:"message"`
	} `json:"issues"`
	// With 412: the record as it is now.
	Current *Guild `json:"current"`
}

func (problem *Problem) Error() string {
	return fmt.Sprintf("%d %s: %s", problem.Status, problem.Title, problem.Detail)
}

// Fields are the changes of a PATCH: a struct could not tell an omitted field from an empty one.
type Fields map[string]any

var client = &http.Client{Timeout: 10 * time.Second}

// call sends a request for the guild, or for a path below it, decodes the response into document, and returns its entity
// tag, or a *Problem as the error.
func call(method, path string, body any, ifMatch string, document any) (tag string, err error) {
	url := setting("GUILD_SETTINGS_URL", "http://127.0.0.1:3000")
	id := setting("GUILD_SETTINGS_GUILD", "197038439483310086")
	encoded, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	if body == nil {
		encoded = nil
	}
	request, err := http.NewRequest(method, url+"/guilds/"+id+path, bytes.NewReader(encoded))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+setting("GUILD_SETTINGS_TOKEN", "sandbox-manager-token-00000001"))
	request.Header.Set("Content-Type", "application/json")
	if ifMatch != "" {
		request.Header.Set("If-Match", ifMatch)
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(response.Body)
	if response.StatusCode >= 400 {
		problem := &Problem{}
		if err := decoder.Decode(problem); err != nil {
			return "", err
		}
		return "", problem
	}
	return response.Header.Get("ETag"), decoder.Decode(document)
}

// expect ends the program with what the problem document says if the request was refused.
func expect[Document any](method, path string, body any, ifMatch string) (document Document, tag string) {
	tag, err := call(method, path, body, ifMatch, &document)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return document, tag
}

// expectProblem ends the program if the request was not refused.
func expectProblem(method string, body any, ifMatch string) *Problem {
	_, err := call(method, "", body, ifMatch, &Guild{})
	problem, isProblem := err.(*Problem)
	if !isProblem {
		fmt.Fprintln(os.Stderr, "expected a problem, received", err)
		os.Exit(1)
	}
	return problem
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	// Read. The entity tag names the revision of the record.
	first, firstTag := expect[Guild]("GET", "", nil, "")
	fmt.Printf("read: %s, beta is %t\n", first.Name, first.Beta)

	// Change: the fields in the body, and no others.
	changed, changedTag := expect[Guild]("PATCH", "", Fields{"beta": !first.Beta}, "")
	fmt.Printf("changed: beta is %t\n", changed.Beta)

	// Change only if the record is still at the revision that this program knows.
	language := "ja"
	if first.Language == "ja" {
		language = "hi"
	}
	translated, _ := expect[Guild]("PATCH", "", Fields{"language": language}, changedTag)
	fmt.Printf("changed at the known revision: language is %s\n", translated.Language)

	// History: who changed what, the newest change first.
	history, _ := expect[History]("GET", "/history?limit=1", nil, "")
	newest := history.Entries[0]
	difference := newest.Changes["language"]
	fmt.Printf("history: language changed from %s to %s\n", difference.From, difference.To)

	// Undo: puts back what one change set. It never overwrites what was changed later.
	undone, _ := expect[Guild]("POST", fmt.Sprintf("/history/%d/undo", newest.Revision), nil, "")
	fmt.Printf("undone: language is %s\n", undone.Language)

	// Feature: PUT enables one, DELETE disables it. The others stay as they are, whoever switches them meanwhile.
	enabled, enabledTag := expect[Guild]("PUT", "/features/reminders", nil, "")
	fmt.Printf("enabled: %s\n", enabled.EnabledFeatures[len(enabled.EnabledFeatures)-1])

	// Conflict: the record has changed since the first read. The problem contains the current record.
	conflict := expectProblem("PATCH", Fields{"prefix": "?"}, firstTag)
	fmt.Printf("conflict: %d %s, beta is %t\n", conflict.Status, conflict.Title, conflict.Current.Beta)

	// Error: every issue of the request is listed with a JSON Pointer.
	refused := expectProblem("PATCH", Fields{"prefix": " ?"}, "")
	pointers := []string{}
	for _, issue := range refused.Issues {
		pointers = append(pointers, issue.Pointer)
	}
	fmt.Printf("refused: %d %s, %s\n", refused.Status, refused.Title, strings.Join(pointers, ", "))

	// A whole record can be sent back as it was read.
	restored, _ := expect[Guild]("PATCH", "", first, enabledTag)
	fmt.Printf("restored: beta is %t, language is %s\n", restored.Beta, restored.Language)
}
