"""`python -m jiti_tui` is `jiti-tui`."""

import sys

from jiti_tui.cli.main import main

sys.exit(main())
