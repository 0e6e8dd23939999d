"""``touch-code``: prints the code with which a touch screen is paired to the table that runs on this computer."""

from argparse import ArgumentParser, Namespace

from controller.commands.columns import port
from controller.configuration.shipped import find_table
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain
from controller.screens.client import ScreensClient, UnreachableError

NAME = "touch-code"
HELP = "print the code with which a touch screen is paired"
EXAMPLES = (
    ("touch-code table.yaml", "the code to key in at the touch screen"),
    ("touch-code sic-bo --port 8081", "that of a bench whose pages are at port 8081"),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="GAME|FILE", help="the table's YAML file, or a game for its shipped table")
    parser.add_argument("--port", type=port, metavar="N", help="the table or bench whose screens are at this port")


def run(arguments: Namespace) -> int:
    config = find_table(arguments.table).config
    try:
        if not config.screens.touch:
            raise UnreachableError("this table takes no touch screen: set `screens: touch: true` in its file")
        client = ScreensClient(config, arguments.port)
        client.table()
        code = client.touch_code()
    except UnreachableError as error:
        complain(f"table-controller touch-code: {error}")
        return exits.FAILED
    if not code:
        complain("table-controller touch-code: a screen is paired; start the table again for a new code")
        return exits.FAILED
    print(code)
    return exits.OK
