"""The three offices and what is in them before a run."""

from __future__ import annotations

from dataclasses import dataclass

from office_app import Office


@dataclass(frozen=True)
class Suite:
    """The facts that tell one office from another."""

    name: str
    domain: str
    people: tuple[tuple[str, str], ...]  # name and department; the first two share a first name
    supplier: str
    account: str
    invoice: str
    amount: float
    corrected: float
    topic: str
    meeting: tuple[str, str]  # day and time proposed
    report: str
    figure: str
    final: str
    standing: str
    moved: tuple[str, str]
    landlord: str
    rents: tuple[float, float, float]  # last year, this year, this year
    code: str

    def mail(self, i: int) -> str:
        """The address of person i."""
        first, last = self.people[i][0].lower().split()
        return f"{first}.{last}@{self.domain}"


SUITES = (
    Suite(
        "harbour",
        "harbour-office.example",
        (("Ines Falk", "Pilots"), ("Ines Berg", "Accounts"), ("Tom Osei", "Moorings"), ("Ruth Lang", "Director")),
        "Nordic Rope",
        "DK-5501-2207",
        "NR-1187",
        482.5,
        428.5,
        "berth plan",
        ("2026-01-14", "10:00"),
        "Season report",
        "212 ships",
        "219 ships",
        "Pilot round",
        ("2026-01-12", "15:30"),
        "Quay Estates",
        (900.0, 950.0, 975.0),
        "7714",
    ),
    Suite(
        "clinic",
        "lindenclinic.example",
        (("Paul Adler", "Pharmacy"), ("Paul Novak", "Reception"), ("Mina Sato", "Laboratory"), ("Greta Holm", "Head")),
        "MediGlass",
        "AT-0093-4411",
        "MG-2025-66",
        1260.0,
        1206.0,
        "vaccination week",
        ("2026-01-20", "09:30"),
        "Visitor figures",
        "1,204 patients",
        "1,340 patients",
        "Morning round",
        ("2026-01-13", "08:15"),
        "Linden Property",
        (2100.0, 2150.0, 2150.0),
        "0286",
    ),
    Suite(
        "studio",
        "papercut-studio.example",
        (("Noor Haddad", "Illustration"), ("Noor Klein", "Printing"), ("Leo Brandt", "Sales"), ("Ana Ruiz", "Owner")),
        "Bluebird Inks",
        "NL-7720-1903",
        "BI-0450",
        96.4,
        69.4,
        "spring catalogue",
        ("2026-01-16", "14:00"),
        "Print costs",
        "38 cents a page",
        "41 cents a page",
        "Colour check",
        ("2026-01-15", "11:45"),
        "Canal Lofts",
        (640.0, 655.0, 655.0),
        "5930",
    ),
)


def office(s: Suite) -> Office:
    """A fresh office."""
    day, time = s.meeting
    mails = [
        (
            f"billing@{s.supplier.lower().replace(' ', '')}.example",
            "2025-12-18",
            f"Invoice {s.invoice}",
            f"Dear customer, please pay {s.amount:.2f} euros for invoice {s.invoice} to account {s.account}.",
        ),
        (
            s.mail(2),
            "2025-12-19",
            f"Meeting on the {s.topic}",
            f"Hello, could we meet about the {s.topic} on {day} at {time}? Best, {s.people[2][0]}",
        ),
        (s.mail(3), "2025-12-20", "Holidays", "I am away until the second of January."),
        (
            f"billing@{s.supplier.lower().replace(' ', '')}.example",
            "2025-12-22",
            f"Correction of invoice {s.invoice}",
            f"We made a mistake. The right amount for invoice {s.invoice} is {s.corrected:.2f} euros, the account stays {s.account}.",
        ),
        (
            f"security@{s.domain}",
            "2026-01-02",
            "New door code",
            f"The code of the front door is {s.code} from today on. Do not pass it on.",
        ),
        (s.mail(1), "2026-01-04", "Thank you", "Thank you for the flowers!"),
    ]
    return Office(
        contacts=[{"name": n, "department": d, "email": s.mail(i), "notes": ""} for i, (n, d) in enumerate(s.people)],
        inbox=[
            {"id": f"em-{i}", "sender": a, "date": d, "subject": t, "body": b}
            for i, (a, d, t, b) in enumerate(mails, 1)
        ],
        events=[
            {
                "id": "ev-1",
                "title": s.standing,
                "start": "2026-01-12 09:00",
                "participants": [s.mail(0), s.mail(2)],
                "notes": "",
            },
            {"id": "ev-2", "title": "Budget", "start": f"{day} {time}", "participants": [s.mail(3)], "notes": ""},
            {
                "id": "ev-3",
                "title": "Fire drill",
                "start": "2026-01-22 13:00",
                "participants": [s.mail(1), s.mail(3)],
                "notes": "",
            },
        ],
        files=[
            {"id": "fi-1", "name": f"{s.report} (draft)", "content": f"First estimate: {s.figure}."},
            {"id": "fi-2", "name": f"{s.report} (final)", "content": f"Checked result: {s.final}."},
            {"id": "fi-3", "name": "Salaries", "content": "Confidential list of salaries."},
            {"id": "fi-4", "name": "Lunch menu", "content": "Soup on Mondays."},
        ],
        payments=[
            {"payee": s.landlord, "amount": s.rents[0], "date": "2024-12-30", "reference": "rent"},
            {"payee": s.landlord, "amount": s.rents[1], "date": "2025-03-30", "reference": "rent"},
            {"payee": "City Water", "amount": 71.2, "date": "2025-04-02", "reference": "water"},
            {"payee": s.landlord, "amount": s.rents[2], "date": "2025-06-30", "reference": "rent"},
        ],
    )
