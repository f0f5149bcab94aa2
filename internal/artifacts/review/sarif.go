package review

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
)

// SARIF is what weakens as a log of the Static Analysis Results Interchange
// Format, version 2.1.0 (OASIS, 2020; the comments name its sections). file is the
// path of the new policy, from the root of its repository.
func (c *Changes) SARIF(file string) any {
	run := sarifRun{Results: []sarifResult{}}
	uri := (&url.URL{Path: filepath.ToSlash(filepath.Clean(file))}).String()
	run.Automation.ID = "gbt/" + uri + "/" // viewers keep what is said of several policies apart
	run.Tool.Driver = sarifDriver{Name: "gbt", URI: "https://github.com/gbt-policy/gbt"}
	for _, r := range Rules() {
		rule := sarifRule{ID: r.ID, Short: sarifText{r.Short}, Help: sarifText{r.Help}}
		rule.Default.Level = r.Level
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	for _, f := range c.Weakens {
		run.Results = append(run.Results, f.sarif(uri))
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func (f *Finding) sarif(uri string) sarifResult {
	r := sarifResult{Rule: f.Rule, Index: ruleRank(f.Rule), Level: f.Level, Message: sarifText{f.Message}}
	var at sarifLocation
	at.Physical.Artifact.URI = uri
	at.Physical.Region.StartLine = 1 // a policy has no lines, and viewers want one
	r.Locations = []sarifLocation{at}
	sum := sha256.Sum256([]byte(f.Rule + "\x00" + f.Message))
	r.Fingerprints = map[string]string{"finding/v1": hex.EncodeToString(sum[:])}
	return r
}

type (
	sarifLog struct { // 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Automation struct { // 3.17
			ID string `json:"id"`
		} `json:"automationDetails"`
		Results []sarifResult `json:"results"`
	}
	sarifDriver struct { // 3.19
		Name  string      `json:"name"`
		URI   string      `json:"informationUri"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct { // 3.49
		ID      string    `json:"id"`
		Short   sarifText `json:"shortDescription"`
		Help    sarifText `json:"help"`
		Default struct {
			Level Level `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText struct { // 3.11
		Text string `json:"text"`
	}
	sarifResult struct { // 3.27
		Rule         string            `json:"ruleId"`
		Index        int               `json:"ruleIndex"`
		Level        Level             `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct { // 3.28
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine int `json:"startLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
)
