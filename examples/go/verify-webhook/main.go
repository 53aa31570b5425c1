// Receives webhooks from Leadwire and verifies them. Standard library alone.
//
//	LEADWIRE_WEBHOOK_SECRET=whsec_… go run main.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// verify fails unless the body is what Leadwire signed, within five minutes.
func verify(secret string, header http.Header, body []byte) error {
	id, timestamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return errors.New("a webhook header is missing")
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("the timestamp is too far from now")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return errors.New("the secret is missing, or is no base64") // or anybody could sign
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// While a secret is being replaced there are two signatures, separated by a space.
	for _, signature := range strings.Fields(signatures) {
		if hmac.Equal([]byte(expected), []byte(signature)) {
			return nil
		}
	}
	return errors.New("no signature matches")
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err == nil {
		err = verify(os.Getenv("LEADWIRE_WEBHOOK_SECRET"), r.Header, body)
	}
	var event struct{ ID, Type string }
	if err == nil {
		err = json.Unmarshal(body, &event)
	}
	if err != nil {
		log.Println("refused:", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent) // Do long work elsewhere, not here. A retry has the same webhook-id.
	fmt.Println("verified", event.Type, event.ID)
}

func main() {
	log.SetFlags(0)
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	address := "127.0.0.1:" + port
	server := &http.Server{Addr: address, Handler: http.HandlerFunc(receive), ReadTimeout: 30 * time.Second}
	fmt.Println("listening at http://" + address)
	log.Fatal(server.ListenAndServe())
}
