"""A mail-order shop in memory: customers, orders, products."""

from __future__ import annotations

import copy
import json
from typing import Any

from office_app import ToolFault

TODAY = "2026-01-05"

POLICY = f"""# Outfitter Agent Policy

You help customers of an outdoor outfitter. Today is {TODAY}.

- Find out who the customer is (e-mail, or name and zip code) before you act on an order, and act on their orders only.
- Say what you are about to change and get a yes before you change anything.
- An order can be cancelled, or its address changed, only while its status is pending.
- A delivered item can be exchanged for another option of the same product that is in stock, or returned, within 30 days of delivery.
- Items bought on sale can be exchanged but not returned.
- If the rules do not allow what the customer wants, say so and transfer them to a colleague. Do not make exceptions.
"""

PRODUCTS: dict[str, dict[str, Any]] = {
    "tent": {"name": "Two-person tent", "options": {"tent-green": 4, "tent-orange": 0, "tent-grey": 2}},
    "boots": {"name": "Hiking boots", "options": {"boots-39": 1, "boots-41": 3, "boots-42": 0, "boots-43": 5}},
    "lamp": {"name": "Head lamp", "options": {"lamp-basic": 9, "lamp-bright": 3}},
    "jacket": {"name": "Rain jacket", "options": {"jacket-s": 2, "jacket-m": 0, "jacket-l": 4, "jacket-xl": 1}},
    "stove": {"name": "Gas stove", "options": {"stove-one": 6, "stove-two": 2}},
}

CUSTOMERS: dict[str, dict[str, Any]] = {
    "c-101": {"name": "Edda Lind", "email": "edda.lind@post.example", "zip": "20144", "orders": ["W-2001", "W-2002"]},
    "c-102": {"name": "Rafael Monti", "email": "r.monti@post.example", "zip": "80331", "orders": ["W-2003"]},
    "c-103": {"name": "Sunniva Aas", "email": "sunniva@aas.example", "zip": "50667", "orders": ["W-2004", "W-2005"]},
    "c-104": {"name": "Koji Mori", "email": "koji.mori@post.example", "zip": "04109", "orders": ["W-2006", "W-2007"]},
    "c-105": {"name": "Bela Varga", "email": "bela@varga.example", "zip": "28195", "orders": ["W-2008"]},
    "c-106": {
        "name": "Maud Perrin",
        "email": "maud.perrin@post.example",
        "zip": "99084",
        "orders": ["W-2009", "W-2010"],
    },
}


def order(status: str, street: str, delivered: str = "", **items: str) -> dict[str, Any]:
    """An order; an item's value is its option, with * for one bought on sale."""
    return {
        "status": status,
        "delivered": delivered,
        "address": street,
        "items": {
            f"i-{n}": {"option": o.rstrip("*"), "on_sale": o.endswith("*"), "state": "ordered"}
            for n, o in items.items()
        },
    }


ORDERS: dict[str, dict[str, Any]] = {
    "W-2001": order("pending", "Elm Street 4, 20144 Hamburg", a1="tent-green"),
    "W-2002": order("delivered", "Elm Street 4, 20144 Hamburg", "2025-12-20", a2="boots-41", a3="lamp-basic"),
    "W-2003": order("shipped", "Rose Lane 9, 80331 Munich", b1="stove-one", b2="lamp-bright"),
    "W-2004": order("delivered", "Quay 2, 50667 Cologne", "2025-12-28", c1="jacket-s", c2="lamp-basic*"),
    "W-2005": order("pending", "Quay 2, 50667 Cologne", c3="boots-39"),
    "W-2006": order("pending", "Mill Road 31, 04109 Leipzig", d1="jacket-l"),
    "W-2007": order("delivered", "Mill Road 31, 04109 Leipzig", "2025-11-14", d2="tent-grey"),
    "W-2008": order("pending", "Bay View 7, 28195 Bremen", e1="stove-two", e2="lamp-basic"),
    "W-2009": order("delivered", "Hill 12, 99084 Erfurt", "2026-01-02", f1="jacket-l", f2="boots-43"),
    "W-2010": order("shipped", "Hill 12, 99084 Erfurt", f3="tent-green"),
}


class Shop:
    """The shop's data; the agent's tools are the public methods."""

    def __init__(self) -> None:
        self.orders = copy.deepcopy(ORDERS)
        self.transferred = False

    def find_customer_by_email(self, email: str) -> str:
        """Finds a customer by e-mail.

        Args:
            email: The e-mail address.
        """
        return show([{"id": i} | c for i, c in CUSTOMERS.items() if c["email"] == email.strip().lower()])

    def find_customer_by_name(self, name: str, zip_code: str) -> str:
        """Finds a customer by name and zip code.

        Args:
            name: The full name.
            zip_code: The zip code.
        """
        return show(
            [{"id": i} | c for i, c in CUSTOMERS.items() if c["name"].lower() == name.lower() and c["zip"] == zip_code]
        )

    def get_order(self, order_id: str) -> str:
        """Shows an order.

        Args:
            order_id: The number of the order.
        """
        return show({"id": order_id} | self.known(order_id))

    def get_product(self, product_id: str) -> str:
        """Shows a product and how many of each option are in stock.

        Args:
            product_id: The id of the product, such as tent.
        """
        if product_id not in PRODUCTS:
            raise ToolFault(f"no product {product_id!r}")
        return show(PRODUCTS[product_id])

    def cancel_order(self, order_id: str) -> str:
        """Cancels an order.

        Args:
            order_id: The number of the order.
        """
        self.known(order_id)["status"] = "cancelled"
        return f"Order {order_id} is cancelled."

    def change_address(self, order_id: str, address: str) -> str:
        """Changes the address that an order goes to.

        Args:
            order_id: The number of the order.
            address: The new address: street and number, zip code and town.
        """
        self.known(order_id)["address"] = address
        return f"Order {order_id} goes to {address}."

    def exchange_item(self, order_id: str, item_id: str, new_option: str) -> str:
        """Exchanges an item for another option of the product.

        Args:
            order_id: The number of the order.
            item_id: The id of the item.
            new_option: The id of the option to send instead.
        """
        item = self.item(order_id, item_id)
        item["option"], item["state"] = new_option, "exchange"
        return f"{item_id} will be exchanged for {new_option}."

    def return_item(self, order_id: str, item_id: str) -> str:
        """Registers the return of an item and refunds it.

        Args:
            order_id: The number of the order.
            item_id: The id of the item.
        """
        self.item(order_id, item_id)["state"] = "return"
        return f"The return of {item_id} is registered."

    def transfer_to_human(self, summary: str) -> str:
        """Hands the customer over to a colleague.

        Args:
            summary: What the matter is about.
        """
        self.transferred = True
        return "A colleague takes over."

    def known(self, order_id: str) -> dict[str, Any]:
        if order_id not in self.orders:
            raise ToolFault(f"no order {order_id!r}")
        return self.orders[order_id]

    def item(self, order_id: str, item_id: str) -> dict[str, Any]:
        items = self.known(order_id)["items"]
        if item_id not in items:
            raise ToolFault(f"no item {item_id!r} in order {order_id}")
        return items[item_id]


TOOLS = (
    "find_customer_by_email",
    "find_customer_by_name",
    "get_order",
    "get_product",
    "cancel_order",
    "change_address",
    "exchange_item",
    "return_item",
    "transfer_to_human",
)


def show(value: Any) -> str:
    """A result as the tools show it."""
    return json.dumps(value) if value else "Nothing found."
