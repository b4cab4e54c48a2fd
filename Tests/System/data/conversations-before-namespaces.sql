BEGIN TRANSACTION;
CREATE TABLE conversation (
    -- In the order in which they were begun; never used again.
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    user TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    messages INTEGER NOT NULL,
    last_entry INTEGER NOT NULL
);
INSERT INTO "conversation" VALUES(1,'8b0a687f-12aa-43c1-bfcf-bf6722b05e71','ada','nutrition','help',1.79546605066196751599e+09,1.79546605066577816007e+09,2,5);
INSERT INTO "conversation" VALUES(2,'ea9a07b7-c1c6-4933-91f3-9409e0aada98','eve','nutrition','help',1.79546605067355799674e+09,1.79546605067492389675e+09,2,5);
CREATE TABLE entry (
    conversation INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    time REAL NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, number)
) WITHOUT ROWID;
INSERT INTO "entry" VALUES(1,1,1.79546605066196751599e+09,'opened','{"consultation_type":"nutrition","kind":"opened","number":1,"time":1795466050.6619675,"user":"ada"}');
INSERT INTO "entry" VALUES(1,2,1.79546605066196751599e+09,'user_message','{"id":"a0d9641b-c67a-453a-b996-a696fd3ff535","kind":"user_message","number":2,"text":"help","time":1795466050.6619675}');
INSERT INTO "entry" VALUES(1,3,1.7954660506631176472e+09,'answer_started','{"id":"8b0a687f-12aa-43c1-bfcf-bf6722b05e71-3","kind":"answer_started","number":3,"reply_to":"a0d9641b-c67a-453a-b996-a696fd3ff535","time":1795466050.6631176}');
INSERT INTO "entry" VALUES(1,4,1.79546605066577816007e+09,'answer_text','{"id":"8b0a687f-12aa-43c1-bfcf-bf6722b05e71-3","kind":"answer_text","number":4,"text":"I am Candlewire''s built-in guide, not a language model: I look things up in the live data and make templates. I can answer:\n\n- \"price of BTC-USD\", \"biggest movers\", \"indicators\", \"my positions\", \"are the feeds healthy?\"\n- \"alert BTC-USD above 70000\", \"watchlist of the movers\", \"chart layout BTC-USD 5m\", \"buy 0.1 BTC-USD\" (a paper order, proposed only)\n- \"meal plan\", \"workout\", \"wellness routine\"","time":1795466050.6657782}');
INSERT INTO "entry" VALUES(1,5,1.79546605066577816007e+09,'answer_ended','{"end":"completed","id":"8b0a687f-12aa-43c1-bfcf-bf6722b05e71-3","kind":"answer_ended","number":5,"time":1795466050.6657782}');
INSERT INTO "entry" VALUES(2,1,1.79546605067355799674e+09,'opened','{"consultation_type":"nutrition","kind":"opened","number":1,"time":1795466050.673558,"user":"eve"}');
INSERT INTO "entry" VALUES(2,2,1.79546605067355799674e+09,'user_message','{"id":"4a23620f-d361-49f4-af30-a4d5cc54603a","kind":"user_message","number":2,"text":"help","time":1795466050.673558}');
INSERT INTO "entry" VALUES(2,3,1.79546605067415976529e+09,'answer_started','{"id":"ea9a07b7-c1c6-4933-91f3-9409e0aada98-3","kind":"answer_started","number":3,"reply_to":"4a23620f-d361-49f4-af30-a4d5cc54603a","time":1795466050.6741598}');
INSERT INTO "entry" VALUES(2,4,1.79546605067492389675e+09,'answer_text','{"id":"ea9a07b7-c1c6-4933-91f3-9409e0aada98-3","kind":"answer_text","number":4,"text":"I am Candlewire''s built-in guide, not a language model: I look things up in the live data and make templates. I can answer:\n\n- \"price of BTC-USD\", \"biggest movers\", \"indicators\", \"my positions\", \"are the feeds healthy?\"\n- \"alert BTC-USD above 70000\", \"watchlist of the movers\", \"chart layout BTC-USD 5m\", \"buy 0.1 BTC-USD\" (a paper order, proposed only)\n- \"meal plan\", \"workout\", \"wellness routine\"","time":1795466050.674924}');
INSERT INTO "entry" VALUES(2,5,1.79546605067492389675e+09,'answer_ended','{"end":"completed","id":"ea9a07b7-c1c6-4933-91f3-9409e0aada98-3","kind":"answer_ended","number":5,"time":1795466050.674924}');
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('1 conversations');
CREATE INDEX conversation_of_user ON conversation (user, number);
CREATE INDEX conversation_by_age ON conversation (updated_at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('conversation',2);
COMMIT;
