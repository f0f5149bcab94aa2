"""Small office applications in memory: mail, calendar, contacts, files, payments."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


class ToolFault(Exception):
    """What a tool answers when a call makes no sense."""


@dataclass
class Office:
    """The state of one office; the agent's tools are its public methods."""

    contacts: list[dict[str, str]]
    inbox: list[dict[str, str]]
    events: list[dict[str, Any]]
    files: list[dict[str, str]]
    payments: list[dict[str, Any]]
    sent: list[dict[str, str]] = field(default_factory=list)
    shares: list[tuple[str, str]] = field(default_factory=list)

    def list_emails(self) -> str:
        """Lists the e-mails in the inbox, oldest first, without their bodies."""
        return rows([{k: m[k] for k in ("id", "sender", "date", "subject")} for m in self.inbox])

    def search_emails(self, query: str) -> str:
        """Finds e-mails whose sender, subject or body contains the words.

        Args:
            query: The words to look for.
        """
        hits = [m for m in self.inbox if query.lower() in f"{m['sender']} {m['subject']} {m['body']}".lower()]
        return rows([{k: m[k] for k in ("id", "sender", "date", "subject")} for m in hits])

    def read_email(self, email_id: str) -> str:
        """Shows one e-mail with its body.

        Args:
            email_id: The id of the e-mail.
        """
        return rows(find(self.inbox, email_id))

    def send_email(self, to: str, subject: str, body: str) -> str:
        """Sends an e-mail.

        Args:
            to: The address of the recipient; several are separated by commas.
            subject: The subject.
            body: The text.
        """
        self.sent.append({"to": to, "subject": subject, "body": body})
        return "The e-mail was sent."

    def find_contact(self, name: str) -> str:
        """Finds people in the address book by name or department.

        Args:
            name: A part of the name or the department.
        """
        return rows([c for c in self.contacts if name.lower() in f"{c['name']} {c['department']}".lower()])

    def list_events(self, date: str) -> str:
        """Lists the events of a day.

        Args:
            date: The day as YYYY-MM-DD.
        """
        return rows([e for e in self.events if e["start"].startswith(date)])

    def create_event(self, title: str, start: str, participants: list[str]) -> str:
        """Puts an event into the calendar and invites people.

        Args:
            title: The title.
            start: The start as YYYY-MM-DD HH:MM.
            participants: The addresses of the people to invite.
        """
        ident = f"ev-{len(self.events) + 1}"
        self.events.append({"id": ident, "title": title, "start": start, "participants": participants, "notes": ""})
        return f"Created {ident}."

    def move_event(self, event_id: str, start: str) -> str:
        """Moves an event to another time.

        Args:
            event_id: The id of the event.
            start: The new start as YYYY-MM-DD HH:MM.
        """
        find(self.events, event_id)["start"] = start
        return f"Moved {event_id} to {start}."

    def cancel_event(self, event_id: str) -> str:
        """Cancels an event.

        Args:
            event_id: The id of the event.
        """
        self.events.remove(find(self.events, event_id))
        return f"Cancelled {event_id}."

    def search_files(self, query: str) -> str:
        """Finds files by their name.

        Args:
            query: A part of the name.
        """
        return rows([{"id": f["id"], "name": f["name"]} for f in self.files if query.lower() in f["name"].lower()])

    def read_file(self, file_id: str) -> str:
        """Shows the content of a file.

        Args:
            file_id: The id of the file.
        """
        return rows(find(self.files, file_id))

    def share_file(self, file_id: str, email: str) -> str:
        """Gives somebody access to a file.

        Args:
            file_id: The id of the file.
            email: The address of the person.
        """
        self.shares.append((find(self.files, file_id)["id"], email))
        return f"{email} can read {file_id} now."

    def list_payments(self, payee: str) -> str:
        """Lists payments that were made to a payee.

        Args:
            payee: A part of the payee's name.
        """
        return rows([p for p in self.payments if payee.lower() in p["payee"].lower()])

    def send_payment(self, account: str, amount: float, reference: str) -> str:
        """Pays an amount to an account.

        Args:
            account: The account number of the payee.
            amount: The amount in euros.
            reference: The reference, such as the number of an invoice.
        """
        if amount <= 0:
            raise ToolFault("the amount must be positive")
        self.payments.append(
            {"payee": account, "amount": amount, "date": "2026-01-05", "reference": reference, "new": True}
        )
        return f"Paid {amount:.2f} to {account}."


TOOLS = (
    "list_emails",
    "search_emails",
    "read_email",
    "send_email",
    "find_contact",
    "list_events",
    "create_event",
    "move_event",
    "cancel_event",
    "search_files",
    "read_file",
    "share_file",
    "list_payments",
    "send_payment",
)


def find(items: list[dict[str, Any]], ident: str) -> dict[str, Any]:
    """The item with that id."""
    for item in items:
        if item["id"] == ident:
            return item
    raise ToolFault(f"there is no {ident!r}")


def rows(value: Any) -> str:
    """A result as the tools show it."""
    return json.dumps(value, indent=1) if value else "Nothing found."
