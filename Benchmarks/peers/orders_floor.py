"""What the disk and SQLite allow: rows of a ledger entry's size, synced at each commit, with nothing around them.

Prints a line for each size of group: rows a commit, rows a second, commits a second.
"""

import os
import sqlite3
import sys
import time
import zlib

SECONDS = 2.0
BODY = b"x" * 420


def rows_per_second(folder: str, group: int) -> tuple[float, float]:
    path = os.path.join(folder, f"floor-{group}.sqlite")
    with sqlite3.connect(path, isolation_level=None) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute(
            "CREATE TABLE ledger (account TEXT, sequence INTEGER, time REAL, kind TEXT, body BLOB, checksum INTEGER,"
            " PRIMARY KEY (account, sequence)) WITHOUT ROWID"
        )
        rows = 0
        begun = time.perf_counter()
        while (elapsed := time.perf_counter() - begun) < SECONDS:
            database.execute("BEGIN IMMEDIATE")
            database.executemany(
                "INSERT INTO ledger VALUES ('paper-main', ?, ?, 'order_accepted', ?, ?)",
                ((rows + i, elapsed, BODY, zlib.crc32(BODY)) for i in range(group)),
            )
            database.execute("COMMIT")
            rows += group
    return rows / elapsed, rows / group / elapsed


for group in (1, 16, 64, 256):
    print(group, *(f"{figure:.0f}" for figure in rows_per_second(sys.argv[1], group)), sep="\t")
