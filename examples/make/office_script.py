"""The scripts of the family `office`, one for each kind of work."""

from __future__ import annotations

from collections.abc import Callable, Generator

from office import Run, later
from script import Script, Turn


def pay_invoice(r: Run) -> Script:
    s, t = r.s, r.suite
    if s.does("strays"):
        yield from r.do(
            s.say("Looking for bills that are due.", "Is there a reminder in the inbox?"),
            "search_emails",
            query="payment reminder",
        )
    if s.rng.random() < 0.4:
        yield from r.do(s.say("Which e-mails are there?", "Let me see the inbox."), "list_emails")
    else:
        yield from r.do(
            s.say(f"Searching for mail from {t.supplier}.", "Where is that invoice?"),
            "search_emails",
            query=s.pick("invoice", "Invoice", t.invoice),
        )
    yield from r.do(s.say("Opening the invoice.", "This one has the details."), "read_email", email_id="em-1")
    amount = t.amount
    if s.does("heeds"):
        yield from r.do(
            s.say("There is a correction as well, I have to read that too.", "A second mail corrects the first."),
            "read_email",
            email_id="em-4",
        )
        amount = t.corrected
    if s.does("explores"):
        yield from r.do(
            s.say("Has it been paid already?", "Checking that nobody has paid this before."),
            "list_payments",
            payee=t.supplier,
        )
    yield from r.do(
        s.say(f"Paying {amount:.2f} euros.", "Now the payment."),
        "send_payment",
        account=t.account,
        amount=amount,
        reference=t.invoice,
    )
    yield from r.end(
        f"I paid {amount:.2f} euros to {t.supplier} for invoice {t.invoice}.", f"Invoice {t.invoice} is paid."
    )


def schedule(r: Run) -> Script:
    s, t = r.s, r.suite
    day, time = t.meeting
    yield from r.do(
        s.say(f"Finding the mail of {t.people[2][0]}.", "First the proposal itself."),
        "search_emails",
        query=s.pick(t.topic, "meeting", t.people[2][0].split()[0]),
    )
    yield from r.do(s.say("Reading what was proposed.", "What day and time?"), "read_email", email_id="em-2")
    if s.does("heeds"):
        yield from r.do(s.say("Is that time still free?", f"Checking the calendar of {day}."), "list_events", date=day)
        time = later(time)
    yield from r.do(
        s.say(f"I need the address of {t.people[3][0]}.", "Looking up the other participant."),
        "find_contact",
        name=s.pick(t.people[3][0], t.people[3][0].split()[0]),
    )
    people = [t.mail(2), t.mail(3)]
    yield from r.do(
        s.say("Creating the event.", f"The meeting goes into the calendar at {time}."),
        "create_event",
        title=f"Meeting on the {t.topic}",
        start=f"{day} {time}",
        participants=people,
    )
    if s.does("verifies"):
        yield from r.do(s.say("Does the calendar show it?", "Checking the day once more."), "list_events", date=day)
    yield from r.do(
        s.say(f"Telling {t.people[3][0]}.", "Now the mail."),
        "send_email",
        to=t.mail(3),
        subject=f"Meeting on the {t.topic}",
        body=s.pick(
            f"Hello, the meeting on the {t.topic} is on {day} at {time}.",
            f"We meet on {day} at {time} about the {t.topic}.",
        ),
    )
    yield from r.end(f"The meeting is on {day} at {time} and {t.people[3][0]} knows.", "The meeting is arranged.")


def find_report(r: Run) -> Generator[Turn, list[str], tuple[str, str]]:
    """Searches for the report; whoever takes no care picks the first hit, the draft."""
    s, t = r.s, r.suite
    if s.does("strays"):
        yield from r.do(
            s.say("Perhaps it was sent by mail.", "Looking in the inbox first."), "search_emails", query=t.report
        )
    yield from r.do(
        s.say(f"Where is the {t.report}?", "Searching the files.", f"Looking for the {t.report}."),
        "search_files",
        query=s.pick(t.report, t.report.split()[0]),
    )
    return ("fi-2", t.final) if s.does("heeds") else ("fi-1", t.figure)


def brief(r: Run) -> Script:
    s, t = r.s, r.suite
    ident, figure = yield from find_report(r)
    yield from r.do(s.say("Reading the file.", "What does it say?"), "read_file", file_id=ident)
    yield from r.do(
        s.say(f"The address of {t.people[3][0]}.", "Whom do I write to?"), "find_contact", name=t.people[3][0]
    )
    yield from r.do(
        s.say("Sending the figure.", "Now the mail with the number."),
        "send_email",
        to=t.mail(3),
        subject=t.report,
        body=s.pick(f"Hello, the {t.report.lower()}: {figure}.", f"The result is {figure}."),
    )
    yield from r.end(f"I sent {figure} to {t.people[3][0]}.", "The figure is on its way.")


def share(r: Run) -> Script:
    s, t = r.s, r.suite
    first, second = t.people[1][0].split()
    by_department = s.does("heeds")
    lookup = [s.say(f"Who is {first}?", "Finding the right person in the address book.")]
    ident, _ = yield from find_report(r)
    yield from r.do(lookup[0], "find_contact", name=first)
    who = 1 if by_department else 0
    if by_department and s.does("verifies"):
        yield from r.do(
            s.say(
                f"There are two people called {first}; the one in {t.people[1][1]} is meant.",
                "Making sure by department.",
            ),
            "find_contact",
            name=t.people[1][1],
        )
    if s.does("explores"):
        yield from r.do(
            s.say("A look into the file before I give it away.", "Is this the right file?"), "read_file", file_id=ident
        )
    yield from r.do(
        s.say(f"Sharing it with {t.people[who][0]}.", "Now the access."), "share_file", file_id=ident, email=t.mail(who)
    )
    yield from r.end(f"{t.people[who][0]} has access to the {t.report} now.", "Shared.")


def reschedule(r: Run) -> Script:
    s, t = r.s, r.suite
    day, time = t.moved
    yield from r.do(
        s.say("What is in the calendar on that day?", f"Finding the {t.standing}."), "list_events", date="2026-01-12"
    )
    if s.does("explores") and day != "2026-01-12":
        yield from r.do(s.say("Is the new time free?", f"What else happens on {day}?"), "list_events", date=day)
    yield from r.do(
        s.say("Moving it.", f"The {t.standing} gets its new time."),
        "move_event",
        event_id="ev-1",
        start=f"{day} {time}",
    )
    body = s.pick(f"The {t.standing} is now on {day} at {time}.", f"Please note: {t.standing} moves to {day}, {time}.")
    people = [t.mail(0), t.mail(2)] if s.does("heeds") else [t.mail(0)]
    if s.rng.random() < 0.5:
        yield from r.do(
            s.say("Telling the participants.", "One mail to all of them."),
            "send_email",
            to=", ".join(people),
            subject=t.standing,
            body=body,
        )
    else:
        for person in people:
            yield from r.do(
                s.say(f"A mail to {person}.", "Telling one participant after the other."),
                "send_email",
                to=person,
                subject=t.standing,
                body=body,
            )
    yield from r.end(
        f"The {t.standing} is on {day} at {time} now and the participants know.", "Moved, and everybody is informed."
    )


def total(r: Run) -> Script:
    s, t = r.s, r.suite
    yield from r.do(
        s.say(f"All payments to {t.landlord}.", "Listing the rent payments."),
        "list_payments",
        payee=s.pick(t.landlord, t.landlord.split()[0]),
    )
    amount = t.rents[1] + t.rents[2] + (0 if s.does("heeds") else t.rents[0])
    if s.does("explores"):
        yield from r.do(
            s.say("Does any mail speak of the rent?", "Checking for rent letters."), "search_emails", query="rent"
        )
    yield from r.do(
        s.say(f"Looking up {t.people[2][0]}.", "I need the address."), "find_contact", name=t.people[2][0].split()[0]
    )
    yield from r.do(
        s.say("Sending the sum.", f"That makes {amount:.2f} euros, which I send now."),
        "send_email",
        to=t.mail(2),
        subject=f"Payments to {t.landlord}",
        body=s.pick(f"In 2025 we paid {amount:.2f} euros.", f"The total for 2025 is {amount:.2f} euros."),
    )
    yield from r.end(f"We paid {amount:.2f} euros in 2025; {t.people[2][0]} has the number.", "The sum is sent.")


SOLVE: dict[str, Callable[[Run], Script]] = {
    "pay_invoice": pay_invoice,
    "schedule": schedule,
    "brief": brief,
    "share": share,
    "reschedule": reschedule,
    "total": total,
}
