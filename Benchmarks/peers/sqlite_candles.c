// What SQLite's C API does with candles, with nothing around it: the store's table, pages, log and size of transactions.
//
// Usage: sqlite_candles FILE ROWS BATCH
// Prints, tab-separated: rows written a second; median and 99th percentile of reading the last 1,000 rows, and 1,000 in front of
// a random time, in milliseconds.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PAGE = 1000, READS = 2000 };
static const double START = 1500000000;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void check(sqlite3 *db, int code, int expected) {
    if (code == expected) return;
    fprintf(stderr, "sqlite_candles: %s\n", sqlite3_errmsg(db));
    exit(1);
}

static void execute(sqlite3 *db, const char *sql) { check(db, sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK); }

// The numbers of Benchmarks/Sources/candlewire-bench/StorageBenchmark.swift.
static void bind(sqlite3_stmt *row, long index) {
    double open = 60000 + index % 9973 / 8.0 + 0.01;
    sqlite3_bind_int64(row, 1, 1);
    sqlite3_bind_double(row, 2, START + index);
    sqlite3_bind_double(row, 3, open);
    sqlite3_bind_double(row, 4, open + 2.5);
    sqlite3_bind_double(row, 5, open - 1.25);
    sqlite3_bind_double(row, 6, open + 0.3);
    sqlite3_bind_double(row, 7, index % 1009 / 7.0);
    sqlite3_bind_int64(row, 8, 0);
    sqlite3_bind_int64(row, 9, 0);
}

static int by_size(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

// Reads pages into memory, newest first, as the store does.
static void read_pages(sqlite3 *db, long rows, int is_last) {
    static struct { double values[6]; long revision, quality; } page[PAGE];
    static double times[READS];
    sqlite3_stmt *query;
    check(db, sqlite3_prepare_v2(db,
        "SELECT timestamp, open, high, low, close, volume, revision, quality FROM candles"
        " WHERE series = 1 AND timestamp < ? ORDER BY timestamp DESC LIMIT 1000", -1, &query, NULL), SQLITE_OK);
    srand(1);
    for (int turn = 0; turn < READS; turn++) {
        double before = START + (is_last ? rows : PAGE + (double)rand() / RAND_MAX * (rows - PAGE));
        double start = now();
        sqlite3_bind_double(query, 1, before);
        int count = 0;
        for (; sqlite3_step(query) == SQLITE_ROW; count++) {
            for (int column = 0; column < 6; column++)
                page[count].values[column] = sqlite3_column_double(query, column);
            page[count].revision = sqlite3_column_int64(query, 6);
            page[count].quality = sqlite3_column_int64(query, 7);
        }
        sqlite3_reset(query);
        times[turn] = now() - start;
        if (count != PAGE || page[0].values[0] >= before) exit(2);
    }
    sqlite3_finalize(query);
    qsort(times, READS, sizeof times[0], by_size);
    printf("\t%.4f\t%.4f", times[READS / 2] * 1e3, times[READS * 99 / 100] * 1e3);
}

int main(int count, char **arguments) {
    if (count != 4) return 64;
    long rows = atol(arguments[2]), batch = atol(arguments[3]);
    sqlite3 *db;
    check(NULL, sqlite3_open(arguments[1], &db), SQLITE_OK);
    execute(db, "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
        "PRAGMA synchronous = NORMAL;"
        "CREATE TABLE candles (series INTEGER NOT NULL, timestamp INTEGER NOT NULL, open REAL NOT NULL, high REAL NOT NULL,"
        " low REAL NOT NULL, close REAL NOT NULL, volume REAL NOT NULL, revision INTEGER NOT NULL, quality INTEGER NOT NULL,"
        " PRIMARY KEY (series, timestamp)) WITHOUT ROWID");
    sqlite3_stmt *insert;
    check(db, sqlite3_prepare_v2(db, "INSERT INTO candles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", -1, &insert, NULL), SQLITE_OK);
    double start = now();
    for (long index = 0; index < rows;) {
        execute(db, "BEGIN IMMEDIATE");
        for (long end = index + batch < rows ? index + batch : rows; index < end; index++) {
            bind(insert, index);
            check(db, sqlite3_step(insert), SQLITE_DONE);
            sqlite3_reset(insert);
        }
        execute(db, "COMMIT");
    }
    printf("%.0f", rows / (now() - start));
    sqlite3_finalize(insert);
    read_pages(db, rows, 1);
    read_pages(db, rows, 0);
    printf("\n");
    return sqlite3_close(db) != SQLITE_OK;
}
