"""The customers' requests, what the policy makes of them, and the simulated customer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from support_app import CUSTOMERS, Shop


@dataclass(frozen=True)
class Case:
    """One request. `actions` are the writes that the policy allows; none means: transfer."""

    customer: str
    order: str
    kind: str
    opening: str
    actions: tuple[tuple[str, dict[str, str]], ...]
    careless: tuple[tuple[str, dict[str, str]], ...]  # what an agent does that overlooks the catch
    why: str  # the catch, in words
    products: tuple[str, ...] = field(default=())

    def expected(self) -> Shop:
        """The shop as it should be afterwards."""
        shop = Shop()
        for name, args in self.actions or (("transfer_to_human", {"summary": ""}),):
            getattr(shop, name)(**args)
        return shop

    def reward(self, shop: Shop) -> int:
        want = self.expected()
        return int(shop.orders == want.orders and shop.transferred == want.transferred)


def one(tool: str, **args: str) -> tuple[tuple[str, dict[str, str]], ...]:
    return ((tool, args),)


CASES = (
    Case(
        "c-101",
        "W-2001",
        "cancel",
        "Hello, I ordered a tent but I found mine in the attic. Please cancel the order.",
        one("cancel_order", order_id="W-2001"),
        one("cancel_order", order_id="W-2002"),
        "the tent is in the pending order, not in the delivered one",
    ),
    Case(
        "c-102",
        "W-2003",
        "cancel",
        "Hi, I want to cancel my order with the stove and the lamp, I changed my mind.",
        (),
        one("cancel_order", order_id="W-2003"),
        "the order has left already, so it cannot be cancelled",
    ),
    Case(
        "c-105",
        "W-2008",
        "cancel",
        "Good morning! My order W-2008, the stove with two flames: please cancel it, the trip is off.",
        one("cancel_order", order_id="W-2008"),
        one("return_item", order_id="W-2008", item_id="i-e1"),
        "nothing was delivered yet, so this is a cancellation and no return",
    ),
    Case(
        "c-103",
        "W-2005",
        "address",
        "Hello! I am moving next week. Could the boots I ordered go to Old Market 5, 50676 Cologne?",
        one("change_address", order_id="W-2005", address="Old Market 5, 50676 Cologne"),
        one("change_address", order_id="W-2004", address="Old Market 5, 50676 Cologne"),
        "the boots are in the newer order",
    ),
    Case(
        "c-104",
        "W-2006",
        "address",
        "Please send my jacket to my office: Ring 88, 04107 Leipzig.",
        one("change_address", order_id="W-2006", address="Ring 88, 04107 Leipzig"),
        one("change_address", order_id="W-2006", address="Ring 88, Leipzig"),
        "the zip code belongs to the address",
    ),
    Case(
        "c-106",
        "W-2010",
        "address",
        "My tent should go to my parents instead, Church Row 3, 99089 Erfurt. The order is W-2010.",
        (),
        one("change_address", order_id="W-2010", address="Church Row 3, 99089 Erfurt"),
        "a shipped order keeps its address",
    ),
    Case(
        "c-101",
        "W-2002",
        "exchange",
        "The hiking boots I got are too small, I need size 43. Can you exchange them?",
        one("exchange_item", order_id="W-2002", item_id="i-a2", new_option="boots-43"),
        one("exchange_item", order_id="W-2002", item_id="i-a2", new_option="boots-42"),
        "the size has to be 43 and in stock",
        ("boots",),
    ),
    Case(
        "c-103",
        "W-2004",
        "exchange",
        "My rain jacket is too tight. I would like M, or L if there is no M.",
        one("exchange_item", order_id="W-2004", item_id="i-c1", new_option="jacket-l"),
        one("exchange_item", order_id="W-2004", item_id="i-c1", new_option="jacket-m"),
        "M is out of stock, so it has to be L",
        ("jacket",),
    ),
    Case(
        "c-106",
        "W-2009",
        "exchange",
        "I'd like to exchange the jacket of order W-2009 for an XL, please.",
        one("exchange_item", order_id="W-2009", item_id="i-f1", new_option="jacket-xl"),
        one("exchange_item", order_id="W-2009", item_id="i-f2", new_option="jacket-xl"),
        "the jacket is the first item, the second are boots",
        ("jacket",),
    ),
    Case(
        "c-103",
        "W-2004",
        "return",
        "I want to return the head lamp from my last delivery, it is too weak.",
        (),
        one("return_item", order_id="W-2004", item_id="i-c2"),
        "the lamp was bought on sale and cannot be returned",
    ),
    Case(
        "c-104",
        "W-2007",
        "return",
        "Hello, the grey tent is not for me after all. I want to send it back.",
        (),
        one("return_item", order_id="W-2007", item_id="i-d2"),
        "it was delivered more than thirty days ago",
    ),
    Case(
        "c-106",
        "W-2009",
        "return",
        "Hi! I would like to give back the boots from order W-2009; the jacket is fine.",
        one("return_item", order_id="W-2009", item_id="i-f2"),
        (
            ("return_item", {"order_id": "W-2009", "item_id": "i-f1"}),
            ("return_item", {"order_id": "W-2009", "item_id": "i-f2"}),
        ),
        "only the boots go back",
    ),
)


class Customer:
    """Answers what the agent says, by a few rules, until the matter is closed: then with ###STOP###."""

    def __init__(self, case: Case, seed: str) -> None:
        self.who: dict[str, Any] = CUSTOMERS[case.customer]
        self.case = case
        self.rng = random.Random(seed)
        self.refused = False

    def answer(self, messages: Sequence[Any]) -> str:
        """What the customer says next."""
        said = str(messages[-1].content).lower()
        if "e-mail" in said or "who i am talking to" in said:
            return self.rng.choice(
                (
                    f"Sure, it is {self.who['email']}.",
                    f"{self.who['email']}, and my name is {self.who['name']}.",
                    f"I am {self.who['name']}, zip code {self.who['zip']}, {self.who['email']}.",
                )
            )
        if "order number" in said:
            return self.rng.choice(
                (f"It is {self.case.order}.", f"That would be {self.case.order}, I think.", f"{self.case.order}.")
            )
        if "shall i" in said or "is that right" in said or "(yes/no)" in said:
            return self.rng.choice(("Yes, please.", "Yes, go ahead.", "That is right, yes."))
        if "cannot" in said and not self.refused:
            self.refused = True
            return self.rng.choice(
                (
                    "Really? Can't you make an exception?",
                    "That is a pity. Is there no way at all?",
                    "Oh. Then let me talk to somebody else, please.",
                )
            )
        return self.rng.choice(
            ("Thank you, that was all. ###STOP###", "Great, thanks. ###STOP###", "No, nothing else. Bye! ###STOP###")
        )
