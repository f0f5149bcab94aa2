"""Family `support`: a support agent, a policy, and a simulated customer."""

from __future__ import annotations

from collections.abc import Generator

from script import Script, Turn, turn
from style import Style
from support_app import CUSTOMERS
from support_cases import Case

Heard = Generator[Turn, list[str], str]


def ask(text: str) -> Heard:
    """Says something to the customer and gives the answer."""
    said = yield Turn(text)
    return said[0]


def solve(s: Style, case: Case) -> Script:
    """Who is it, which order, is it allowed, confirm, act, close."""
    yield from identify(s, case)
    yield from find_order(s, case)
    heeds = s.does("heeds")
    actions = case.actions if heeds else case.careless
    if case.products and (heeds or s.does("explores")):
        yield turn(
            s.say("Which options are in stock?", f"Looking up the options of the {case.products[0]}."),
            "get_product",
            product_id=case.products[0],
        )
    if not actions:
        yield from refuse(s, case)
    else:
        yield from act(s, case, actions)


def identify(s: Style, case: Case) -> Script:
    who = CUSTOMERS[case.customer]
    said = yield from ask(
        s.pick(
            "I am happy to help. Could you tell me the e-mail address of your account?",
            "Of course. May I have your e-mail address first?",
            "Sure! Please give me your e-mail address so that I know who I am talking to.",
        )
    )
    if who["name"] in said and s.rng.random() < 0.4:
        yield turn(
            s.say("Finding the account by name."), "find_customer_by_name", name=who["name"], zip_code=who["zip"]
        )
    else:
        yield turn(
            s.say("Finding the account.", "Looking the customer up by e-mail."),
            "find_customer_by_email",
            email=who["email"],
        )


def find_order(s: Style, case: Case) -> Script:
    """From the customer's words if they name the order, else by asking or by going through the orders."""
    orders = CUSTOMERS[case.customer]["orders"]
    if case.order in case.opening or len(orders) == 1:
        yield turn(s.say("Opening the order.", "Let me see the order."), "get_order", order_id=case.order)
    elif s.rng.random() < 0.35:
        yield from ask(
            s.pick("Thank you. What is the order number, please?", "Found you. Which order number is it about?")
        )
        yield turn(s.say("Opening that order."), "get_order", order_id=case.order)
    else:
        for ident in orders if s.does("explores") else [case.order]:
            out = yield turn(
                s.say(
                    "Is this the order?", f"Going through the orders: {ident}.", "Checking the orders of this customer."
                ),
                "get_order",
                order_id=ident,
            )
            if ident == case.order and s.rng.random() < 0.5 and '"id"' in out[0]:
                break
    if s.does("strays"):
        yield turn(
            s.say("A look at the product for the details.", "What exactly is this product?"),
            "get_product",
            product_id=s.pick("tent", "lamp", "boots", "backpack"),
        )


def act(s: Style, case: Case, actions: tuple[tuple[str, dict[str, str]], ...]) -> Script:
    if s.name != "hasty" or s.does("verifies"):
        deeds = "; ".join(words(name, args) for name, args in actions)
        yield from ask(
            s.pick(
                f"I am going to do the following: {deeds}. Shall I?",
                f"Just to confirm: {deeds}. Is that right?",
                f"{deeds[0].upper()}{deeds[1:]}. OK (yes/no)?",
            )
        )
    for name, args in actions:
        yield turn(
            s.say(
                "The customer agrees, so I make the change.",
                f"The rules allow it: {words(name, args)}.",
                "Now the change itself.",
            ),
            name,
            **args,
        )
    if s.does("verifies"):
        yield turn(
            s.say("Does the order look right now?", "Checking the order after the change."),
            "get_order",
            order_id=case.order,
        )
    yield from ask(
        s.pick("Done! You will get a confirmation by mail. Anything else?", "That is done. Is there something else?")
    )


def refuse(s: Style, case: Case) -> Script:
    yield from ask(
        s.pick(f"I am sorry, I cannot do that: {case.why}.", f"Unfortunately our rules say that I cannot: {case.why}.")
    )
    yield turn(
        s.say(
            "The policy does not allow it, so a colleague has to take over.",
            "No exceptions here; I transfer the customer.",
        ),
        "transfer_to_human",
        summary=f"{case.kind} of {case.order}: {case.why}",
    )
    yield from ask(
        s.pick("A colleague will be with you in a minute. Goodbye!", "I have handed you over. Is there anything else?")
    )


def words(name: str, args: dict[str, str]) -> str:
    """A change in words."""
    order = args["order_id"]
    return {
        "cancel_order": f"cancel order {order}",
        "change_address": f"send order {order} to {args.get('address')}",
        "exchange_item": f"exchange item {args.get('item_id')} of {order} for {args.get('new_option')}",
        "return_item": f"return item {args.get('item_id')} of {order}",
    }[name]


def describe(case: Case) -> dict[str, object]:
    """The task as tau-bench writes it."""
    return {
        "user_id": case.customer,
        "actions": [{"name": n, "kwargs": a} for n, a in case.actions] or [{"name": "transfer_to_human", "kwargs": {}}],
        "instruction": f"You are {CUSTOMERS[case.customer]['name']}. {case.opening}",
        "outputs": [],
    }
