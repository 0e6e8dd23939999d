"""``schema``: JSON Schemas of a table's file, a floor's, a witness's, and the messages between them; or their
AsyncAPI document.

The schemas are for editors that complete and check YAML, and for programs that read the messages.
"""

from argparse import ArgumentParser, Namespace

from config.loader import floor_schema, json_schema, witness_schema
from controller.commands.columns import as_json
from controller.messages.documents import NAMES, asyncapi_yaml, message_schema
from controller.runtime import exit_codes as exits

NAME = "schema"
HELP = "print the JSON Schema of a table's file, of a floor's, of a witness's, or of the messages between them"
EXAMPLES = (
    ("schema", "the JSON Schema of a table's file, for an editor"),
    ("schema --floor", "that of a floor's file"),
    ("schema round", "that of the message of a round"),
    ("schema --asyncapi", "all messages, as an AsyncAPI document"),
)


def configure(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "topic",
        nargs="?",
        choices=NAMES,
        metavar="TOPIC",
        help=f"the messages of a topic: {', '.join(NAMES)} (default: a table's file)",
    )
    which.add_argument("--floor", action="store_true", help="a floor's file")
    which.add_argument("--witness", action="store_true", help="a witness's file")
    which.add_argument("--messages", action="store_true", help="all messages, in one object by topic")
    which.add_argument("--asyncapi", action="store_true", help="the messages' AsyncAPI 3.0 document, in YAML")


def run(arguments: Namespace) -> int:
    if arguments.asyncapi:
        print(asyncapi_yaml(), end="")
        return exits.OK
    if arguments.messages:
        document: dict[str, object] = {name: message_schema(name) for name in NAMES}
    elif arguments.topic:
        document = message_schema(arguments.topic)
    else:
        document = witness_schema() if arguments.witness else floor_schema() if arguments.floor else json_schema()
    print(as_json(document))
    return exits.OK
