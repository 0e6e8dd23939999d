"""Opens device files: opens.py FILE ... Prints a JSON object: the kernel's error for each, or an empty text."""

import json
import os
import sys

found = {}
for file in sys.argv[1:]:
    try:
        os.close(os.open(file, os.O_RDWR | os.O_NONBLOCK))
        found[file] = ""
    except OSError as error:
        found[file] = error.strerror
print(json.dumps(found))
