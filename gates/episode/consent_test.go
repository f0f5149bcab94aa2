package episode

import (
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/gates/scope"
)

// numbered mints tokens that tell their number.
func numbered(n int64) string { return fmt.Sprint("token ", n) }

// TestATokenIsForOneCallAndOnce is requirement V4.
func TestATokenIsForOneCallAndOnce(t *testing.T) {
	var m Memory
	a, b := m.Ask("a", numbered), m.Ask("b", numbered)
	if a != "token 1" || b != "token 2" {
		t.Errorf("%s, %s", a, b)
	}
	never := func(int64) string { t.Error("a second token for one call"); return "" }
	if again := m.Ask("a", never); again != a {
		t.Errorf("asked again: %s", again)
	}
	if m.Spend("a") {
		t.Error("spent without consent")
	}
	if m.Confirm("token 3") || m.Confirm("") || !m.Confirm(a) || m.Confirm(a) {
		t.Error("a token confirms once, and only one that was given")
	}
	if m.Spend("b") || m.Spend("c") || !m.Spend("a") || m.Spend("a") {
		t.Error("a confirmation is for one call, and once")
	}
	if m.Confirm(a) {
		t.Error("a token that is used up confirms")
	}
	if next := m.Ask("a", numbered); next != "token 3" {
		t.Errorf("asked after it was spent: %s", next)
	}
}

func TestRefuse(t *testing.T) {
	var m Memory
	a, b := m.Ask("a", numbered), m.Ask("b", numbered)
	m.Confirm(a)
	m.Refuse(a)
	m.Refuse("no token")
	if m.Confirm(a) || m.Spend("a") {
		t.Error("a refused call is confirmed")
	}
	if !m.Confirm(b) || !m.Spend("b") {
		t.Error("another call's token is gone")
	}
}

// TestSettled: a token settles the call it was given for, and no other, once.
func TestSettled(t *testing.T) {
	for _, confirmed := range []bool{false, true} {
		var m Memory
		token := m.Ask("a", numbered)
		m.Ask("b", numbered)
		if confirmed {
			m.Confirm(token)
		}
		if m.Settled(token, "b") || m.Settled("token 2", "a") || m.Settled("", "a") {
			t.Error("settled by another call's token")
		}
		if !m.Settled(token, "a") || m.Settled(token, "a") || m.Spend("a") {
			t.Errorf("confirmed %v: a token settles once", confirmed)
		}
	}
}

// TestApprove: an approval is for one run, however often it was asked for.
func TestApprove(t *testing.T) {
	var m Memory
	m.Approve("a")
	m.Approve("b")
	m.Approve("a")
	if !m.Withdraw("a") || m.Withdraw("a") || !m.Withdraw("b") || m.Withdraw("c") {
		t.Error("approved twice, or not at all")
	}
}

// TestConsentIsBounded: the oldest questions and approvals are dropped, so such a
// call is asked about again, and its old token is worth nothing.
func TestConsentIsBounded(t *testing.T) {
	var m Memory
	first := m.Ask("call 0", numbered)
	for i := range maxAsked {
		m.Ask(fmt.Sprint("call ", i+1), numbered)
	}
	if n := len(m.consent.Asked); n != maxAsked || m.Confirm(first) || m.Settled(first, "call 0") {
		t.Errorf("%d are open, the first among them", n)
	}
	if next := m.Ask("call 0", numbered); next == first {
		t.Error("a dropped token is given again")
	}
	for i := range maxApproved + 1 {
		m.Approve(fmt.Sprint("call ", i))
	}
	if n := len(m.consent.Approved); n != maxApproved || m.Withdraw("call 0") || !m.Withdraw("call 1") {
		t.Errorf("%d are approved, the first among them", n)
	}
}

// TestRevoke: what was agreed to is void, and a token that was given is never given
// to another question.
func TestRevoke(t *testing.T) {
	var m Memory
	old := m.Ask("call", numbered)
	m.Confirm(old)
	m.Approve("ran")
	m.Agree(scope.Scope{"read /x/"})
	m.Revoke()
	if m.Spend("call") || m.Confirm(old) || len(m.Agreed()) > 0 {
		t.Error("spent what was revoked")
	}
	if again := m.Ask("call", numbered); again == old {
		t.Errorf("the token %s was offered twice", again)
	}
	if !m.Withdraw("ran") {
		t.Error("a call that may have run is forgotten")
	}
}
