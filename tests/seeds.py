"""What random and shared-out tests choose by: TMLC_SEED or today's date in UTC, as 20261122.

Everybody runs the same programs on one day, and others on the next.
"""

import os
import time


def default_seed():
    text = os.environ.get("TMLC_SEED") or time.strftime("%Y%m%d", time.gmtime())
    return int(text, 0)


def todays_share(items, shares):
    """Every so many of the items. All of them have been in a share after that many days."""
    share = default_seed() % shares
    print(f"share {share} of {shares} (TMLC_SEED={default_seed()})", flush=True)
    return items[share::shares]
