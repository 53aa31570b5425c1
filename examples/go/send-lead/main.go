// Sends a lead to Leadwire, signed, and tries again where that is safe. Standard library alone.
//
//	LEADWIRE_PUBLIC_KEY=lwpk_… LEADWIRE_SECRET_KEY=lwsk_… go run main.go [external_lead_id]
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// sign is HMAC-SHA256 over five lines. Path and query are signed as they are sent, the body as its bytes.
func sign(secretKey, timestamp, method, path, query string, body []byte) string {
	bodyHash := sha256.Sum256(body)
	mac := hmac.New(sha256.New, []byte(secretKey))
	io.WriteString(mac, strings.Join([]string{timestamp, method, path, query, hex.EncodeToString(bodyHash[:])}, "\n"))
	return hex.EncodeToString(mac.Sum(nil))
}

// post signs each try anew: a signature is good for five minutes.
func post(client *http.Client, path string, body []byte) (*http.Response, []byte, error) {
	base := os.Getenv("LEADWIRE_URL")
	if base == "" {
		base = "http://127.0.0.1:3000"
	}
	request, err := http.NewRequest(http.MethodPost, base+path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Leadwire-Public-Key", os.Getenv("LEADWIRE_PUBLIC_KEY"))
	request.Header.Set("X-Leadwire-Timestamp", timestamp)
	request.Header.Set("X-Leadwire-Signature", sign(os.Getenv("LEADWIRE_SECRET_KEY"), timestamp, "POST", path, "", body))
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response, text, err
}

func sendLead(lead map[string]any) (*http.Response, []byte, error) {
	body, err := json.Marshal(lead)
	if err != nil {
		return nil, nil, err
	}
	client := &http.Client{
		Timeout: 30 * time.Second,
		// Followed, a redirect would be a GET that sends no lead.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for attempt := 1; ; {
		response, text, err := post(client, "/api/v1/insertion/leads", body)
		switch {
		case err == nil && response.StatusCode == http.StatusTooManyRequests:
			// Over the rate limit: the server says for how long.
			seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
			if err != nil || seconds < 1 {
				seconds = 1
			}
			time.Sleep(time.Duration(seconds) * time.Second)
		case (err != nil || response.StatusCode >= 500) && attempt < 5:
			time.Sleep(time.Second << (attempt - 1)) // the network, or the server: 1, 2, 4, 8 seconds
			attempt++
		default:
			return response, text, err
		}
	}
}

func main() {
	log.SetFlags(0)
	externalLeadID := "quick-start-1"
	if len(os.Args) > 1 {
		externalLeadID = os.Args[1]
	}
	response, text, err := sendLead(map[string]any{
		"campaign_id":      1,
		"external_lead_id": externalLeadID,
		"phone":            "+14155550132",
		"email":            "ada@example.com",
	})
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatal(response.StatusCode, " ", string(text))
	}
	fmt.Println(response.StatusCode, string(text))
}
