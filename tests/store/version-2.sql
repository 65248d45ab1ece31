PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE match (
        id INTEGER PRIMARY KEY,                 -- ascending from 1; no match is ever deleted
        game TEXT NOT NULL,
        seats INTEGER NOT NULL,
        rules TEXT NOT NULL,                    -- JSON: every option, written out
        dealer INTEGER NOT NULL,                -- the seat that deals first
        names TEXT,                             -- JSON: one a seat; NULL: the seats are called by number
        checksum INTEGER NOT NULL,              -- of all this but names; each action's goes on from the one before
        seed TEXT NOT NULL,                     -- of what chance has yet to decide; a number, in decimal
        follows INTEGER REFERENCES match (id),  -- the match of which this is the rematch
        imported INTEGER NOT NULL,              -- 1: read from a record, 0: played here
        created TEXT NOT NULL,                  -- times are ISO 8601 in UTC, with milliseconds
        changed TEXT NOT NULL,
        finished TEXT,                          -- NULL while the match goes on
        plies INTEGER NOT NULL,                 -- the number of actions, chance's included
        scores TEXT NOT NULL,                   -- JSON: as of now, one number a seat
        why TEXT                                -- JSON: the message key and arguments of the outcome's reason
    , minutes INTEGER);
INSERT INTO "match" VALUES(1,'durak',2,'{"throw_in":true,"turn_over":"off"}',1,'["Ann","Ben"]',1985937130,'5',NULL,0,'2026-03-01T20:00:07.000+00:00','2026-03-01T20:15:59.000+00:00','2026-03-01T20:15:59.000+00:00',135,'[-1,1]','["fool",{"seat":1}]',NULL);
INSERT INTO "match" VALUES(2,'durak',2,'{"throw_in":false,"turn_over":"off"}',1,'["Ann","Ben"]',2499533495,'6',1,0,'2026-03-01T20:16:06.000+00:00','2026-03-01T20:17:09.000+00:00',NULL,5,'[0,0]',NULL,30);
INSERT INTO "match" VALUES(3,'durak',2,'{"throw_in":true,"turn_over":"off"}',1,'["Ann","Ben"]',1985937130,'332316272740242457200903209432307785111',NULL,1,'2026-03-01T20:17:16.000+00:00','2026-03-01T20:17:16.000+00:00',NULL,5,'[0,0]',NULL,NULL);
INSERT INTO "match" VALUES(4,'durak',2,'{"throw_in":false,"turn_over":"off"}',1,'["Ann","Бен"]',2499533495,'230750914976686763648368098866550260580',NULL,0,'2026-03-01T20:17:23.000+00:00','2026-03-01T20:18:33.000+00:00',NULL,9,'[0,0]',NULL,NULL);
INSERT INTO "match" VALUES(5,'durak',2,'{"throw_in":true,"turn_over":"off"}',1,NULL,1985937130,'144242946462721418740018658861462433444',NULL,0,'2026-03-01T20:18:40.000+00:00','2026-03-01T20:19:15.000+00:00',NULL,4,'[0,0]',NULL,NULL);
CREATE TABLE player (
        match INTEGER NOT NULL REFERENCES match (id),
        seat INTEGER NOT NULL,
        name TEXT,                              -- as in the match
        won INTEGER,                            -- 1 or 0; NULL while the match goes on
        PRIMARY KEY (match, seat)
    );
INSERT INTO player VALUES(1,1,'Ann',0);
INSERT INTO player VALUES(1,2,'Ben',1);
INSERT INTO player VALUES(2,1,'Ann',NULL);
INSERT INTO player VALUES(2,2,'Ben',NULL);
INSERT INTO player VALUES(3,1,'Ann',NULL);
INSERT INTO player VALUES(3,2,'Ben',NULL);
INSERT INTO player VALUES(4,1,'Ann',NULL);
INSERT INTO player VALUES(4,2,'Бен',NULL);
INSERT INTO player VALUES(5,1,NULL,NULL);
INSERT INTO player VALUES(5,2,NULL,NULL);
CREATE TABLE action (
        match INTEGER NOT NULL REFERENCES match (id),
        ply INTEGER NOT NULL,                   -- from 1
        by INTEGER NOT NULL,                    -- the seat, 0 for chance
        act TEXT NOT NULL,                      -- in the notation of the game's sheet
        checksum INTEGER NOT NULL,              -- CRC-32 of this match up to and with this action
        PRIMARY KEY (match, ply)
    );
INSERT INTO "action" VALUES(1,1,0,'deal AS TS KH KS TC QD JH QH 8D 9H KD QS 9S 7C 6S AD TH 9D 8C AC JC 6H 7S JS 6D 8H 7H QC AH JD 6C 7D 9C 8S TD KC',2104647253);
INSERT INTO "action" VALUES(1,2,2,'8D',3715733925);
INSERT INTO "action" VALUES(1,3,1,'KS>8D',1615426382);
INSERT INTO "action" VALUES(1,4,2,'pass',1898070774);
INSERT INTO "action" VALUES(1,5,1,'TS',1805783113);
INSERT INTO "action" VALUES(1,6,2,'take',4120658704);
INSERT INTO "action" VALUES(1,7,1,'pass',4064937509);
INSERT INTO "action" VALUES(1,8,1,'AD',1297604735);
INSERT INTO "action" VALUES(1,9,2,'TS>AD',1195600803);
INSERT INTO "action" VALUES(1,10,1,'pass',3365654013);
INSERT INTO "action" VALUES(1,11,2,'KH',2650052602);
INSERT INTO "action" VALUES(1,12,1,'6S>KH',3289681964);
INSERT INTO "action" VALUES(1,13,2,'pass',625929950);
INSERT INTO "action" VALUES(1,14,1,'QD',779314017);
INSERT INTO "action" VALUES(1,15,2,'take',347624767);
INSERT INTO "action" VALUES(1,16,1,'QS',2397938505);
INSERT INTO "action" VALUES(1,17,1,'QH',734548582);
INSERT INTO "action" VALUES(1,18,1,'pass',755000212);
INSERT INTO "action" VALUES(1,19,1,'6H',4197967298);
INSERT INTO "action" VALUES(1,20,2,'QS>6H',2770701505);
INSERT INTO "action" VALUES(1,21,1,'pass',1026114768);
INSERT INTO "action" VALUES(1,22,2,'9D',1903742019);
INSERT INTO "action" VALUES(1,23,1,'take',1161795315);
INSERT INTO "action" VALUES(1,24,2,'pass',4251257372);
INSERT INTO "action" VALUES(1,25,2,'KD',1259876451);
INSERT INTO "action" VALUES(1,26,1,'take',3973036613);
INSERT INTO "action" VALUES(1,27,2,'pass',245186279);
INSERT INTO "action" VALUES(1,28,2,'7C',807235316);
INSERT INTO "action" VALUES(1,29,1,'8C>7C',1477573231);
INSERT INTO "action" VALUES(1,30,2,'pass',3296634771);
INSERT INTO "action" VALUES(1,31,1,'9H',2799341691);
INSERT INTO "action" VALUES(1,32,2,'AS>9H',2508343413);
INSERT INTO "action" VALUES(1,33,1,'AC',1596433520);
INSERT INTO "action" VALUES(1,34,2,'JS>AC',2397677176);
INSERT INTO "action" VALUES(1,35,1,'JC',2369515322);
INSERT INTO "action" VALUES(1,36,2,'take',1684940680);
INSERT INTO "action" VALUES(1,37,1,'9D',3012145359);
INSERT INTO "action" VALUES(1,38,1,'pass',1365819895);
INSERT INTO "action" VALUES(1,39,1,'KD',509326166);
INSERT INTO "action" VALUES(1,40,2,'take',2766069757);
INSERT INTO "action" VALUES(1,41,1,'pass',223422522);
INSERT INTO "action" VALUES(1,42,1,'7H',1321923840);
INSERT INTO "action" VALUES(1,43,2,'AS>7H',1339915748);
INSERT INTO "action" VALUES(1,44,1,'pass',3641153587);
INSERT INTO "action" VALUES(1,45,2,'QD',3048877880);
INSERT INTO "action" VALUES(1,46,1,'take',259365736);
INSERT INTO "action" VALUES(1,47,2,'QH',4151026211);
INSERT INTO "action" VALUES(1,48,2,'pass',1543844973);
INSERT INTO "action" VALUES(1,49,2,'JS',2474855244);
INSERT INTO "action" VALUES(1,50,1,'take',1534015590);
INSERT INTO "action" VALUES(1,51,2,'pass',1007508140);
INSERT INTO "action" VALUES(1,52,2,'AC',56453033);
INSERT INTO "action" VALUES(1,53,1,'take',733192499);
INSERT INTO "action" VALUES(1,54,2,'pass',4065007090);
INSERT INTO "action" VALUES(1,55,2,'JC',3076844905);
INSERT INTO "action" VALUES(1,56,1,'AC>JC',3932873847);
INSERT INTO "action" VALUES(1,57,2,'JH',2260571528);
INSERT INTO "action" VALUES(1,58,1,'take',3901185064);
INSERT INTO "action" VALUES(1,59,2,'pass',1199666406);
INSERT INTO "action" VALUES(1,60,2,'9H',1676937433);
INSERT INTO "action" VALUES(1,61,1,'take',2773829913);
INSERT INTO "action" VALUES(1,62,2,'9D',1822055950);
INSERT INTO "action" VALUES(1,63,2,'pass',3469407345);
INSERT INTO "action" VALUES(1,64,2,'6C',187288938);
INSERT INTO "action" VALUES(1,65,1,'JS>6C',3074985321);
INSERT INTO "action" VALUES(1,66,2,'pass',1997600021);
INSERT INTO "action" VALUES(1,67,1,'QD',589043356);
INSERT INTO "action" VALUES(1,68,2,'8S>QD',12108669);
INSERT INTO "action" VALUES(1,69,1,'pass',3152919610);
INSERT INTO "action" VALUES(1,70,2,'JD',166613376);
INSERT INTO "action" VALUES(1,71,1,'7S>JD',1521815943);
INSERT INTO "action" VALUES(1,72,2,'pass',3333260675);
INSERT INTO "action" VALUES(1,73,1,'JC',3401557013);
INSERT INTO "action" VALUES(1,74,2,'KC>JC',2927042293);
INSERT INTO "action" VALUES(1,75,1,'JH',3616338416);
INSERT INTO "action" VALUES(1,76,2,'take',1032644926);
INSERT INTO "action" VALUES(1,77,1,'pass',915153181);
INSERT INTO "action" VALUES(1,78,1,'QC',3588320014);
INSERT INTO "action" VALUES(1,79,2,'take',1870329382);
INSERT INTO "action" VALUES(1,80,1,'QH',2630994768);
INSERT INTO "action" VALUES(1,81,1,'pass',4165706545);
INSERT INTO "action" VALUES(1,82,1,'AH',3170609187);
INSERT INTO "action" VALUES(1,83,2,'take',3286479885);
INSERT INTO "action" VALUES(1,84,1,'pass',3277400796);
INSERT INTO "action" VALUES(1,85,1,'TH',4261757600);
INSERT INTO "action" VALUES(1,86,2,'JH>TH',3092723576);
INSERT INTO "action" VALUES(1,87,1,'pass',163526851);
INSERT INTO "action" VALUES(1,88,2,'JC',459057284);
INSERT INTO "action" VALUES(1,89,1,'take',237319891);
INSERT INTO "action" VALUES(1,90,2,'pass',1491545531);
INSERT INTO "action" VALUES(1,91,2,'TD',3026886873);
INSERT INTO "action" VALUES(1,92,1,'9S>TD',1165097147);
INSERT INTO "action" VALUES(1,93,2,'pass',1145000351);
INSERT INTO "action" VALUES(1,94,1,'JC',4118994721);
INSERT INTO "action" VALUES(1,95,2,'QC>JC',2751946645);
INSERT INTO "action" VALUES(1,96,1,'pass',570025919);
INSERT INTO "action" VALUES(1,97,2,'KC',2931345411);
INSERT INTO "action" VALUES(1,98,1,'take',3690041838);
INSERT INTO "action" VALUES(1,99,2,'KD',1227225409);
INSERT INTO "action" VALUES(1,100,2,'pass',3365187100);
INSERT INTO "action" VALUES(1,101,2,'QH',2397150963);
INSERT INTO "action" VALUES(1,102,1,'take',2368977401);
INSERT INTO "action" VALUES(1,103,2,'pass',2883418249);
INSERT INTO "action" VALUES(1,104,2,'AH',3749455760);
INSERT INTO "action" VALUES(1,105,1,'take',4040282827);
INSERT INTO "action" VALUES(1,106,2,'pass',2615025072);
INSERT INTO "action" VALUES(1,107,2,'9C',2022250568);
INSERT INTO "action" VALUES(1,108,1,'KC>9C',2853045997);
INSERT INTO "action" VALUES(1,109,2,'pass',1944901920);
INSERT INTO "action" VALUES(1,110,1,'9D',2297949224);
INSERT INTO "action" VALUES(1,111,2,'take',2917399737);
INSERT INTO "action" VALUES(1,112,1,'9H',3120637932);
INSERT INTO "action" VALUES(1,113,1,'QH',3018612142);
INSERT INTO "action" VALUES(1,114,2,'take',4012258730);
INSERT INTO "action" VALUES(1,115,1,'pass',1863418610);
INSERT INTO "action" VALUES(1,116,1,'AC',3179571691);
INSERT INTO "action" VALUES(1,117,2,'take',3801984782);
INSERT INTO "action" VALUES(1,118,1,'pass',1481113566);
INSERT INTO "action" VALUES(1,119,1,'6D',1608118142);
INSERT INTO "action" VALUES(1,120,2,'9D>6D',3682980146);
INSERT INTO "action" VALUES(1,121,1,'pass',1488533065);
INSERT INTO "action" VALUES(1,122,2,'TC',1874820433);
INSERT INTO "action" VALUES(1,123,1,'take',512980839);
INSERT INTO "action" VALUES(1,124,2,'pass',1677004995);
INSERT INTO "action" VALUES(1,125,2,'9H',681036548);
INSERT INTO "action" VALUES(1,126,1,'take',3295957887);
INSERT INTO "action" VALUES(1,127,2,'pass',3245419732);
INSERT INTO "action" VALUES(1,128,2,'7D',3710246732);
INSERT INTO "action" VALUES(1,129,1,'take',2283452323);
INSERT INTO "action" VALUES(1,130,2,'pass',2601349312);
INSERT INTO "action" VALUES(1,131,2,'AC',3998383134);
INSERT INTO "action" VALUES(1,132,1,'take',414215669);
INSERT INTO "action" VALUES(1,133,2,'pass',615708769);
INSERT INTO "action" VALUES(1,134,2,'QH',219725611);
INSERT INTO "action" VALUES(1,135,1,'take',4035443163);
INSERT INTO "action" VALUES(2,1,0,'deal 9S JS KC JD 7H JC KD 9D 6C 6H AS 7D QS QD 7S 6D QC TH 9H KH 8H 8C KS JH TS 6S TC TD 8D 8S AC AH 7C 9C AD QH',3495681194);
INSERT INTO "action" VALUES(2,2,2,'AS',826555810);
INSERT INTO "action" VALUES(2,3,1,'take',2576796879);
INSERT INTO "action" VALUES(2,4,2,'7H',2250214884);
INSERT INTO "action" VALUES(2,5,1,'AS>7H',3693560780);
INSERT INTO "action" VALUES(3,1,0,'deal QH KC AS JD 9C 8D 6D 8S 7D 6S AC QC AH KS QS KD JC 6C TC 9H TS 9S 7H 7C QD 9D AD 7S KH TH 8C 6H TD JS 8H JH',2415383896);
INSERT INTO "action" VALUES(3,2,2,'9C',3543335232);
INSERT INTO "action" VALUES(3,3,1,'take',762804156);
INSERT INTO "action" VALUES(3,4,2,'pass',116547757);
INSERT INTO "action" VALUES(3,5,2,'AC',1753671519);
INSERT INTO "action" VALUES(4,1,0,'deal QH 7D QS KD 9C TS 8S 8C 6S 9H AH 6H 7S KS KH JC 8H AS JS 9S 6D 9D 6C 7H TC KC JH 7C AD AC 8D QC TH TD JD QD',3413949105);
INSERT INTO "action" VALUES(4,2,2,'AH',3623875009);
INSERT INTO "action" VALUES(4,3,1,'TS>AH',1808763766);
INSERT INTO "action" VALUES(4,4,2,'pass',1229193416);
INSERT INTO "action" VALUES(4,5,1,'9H',465216619);
INSERT INTO "action" VALUES(4,6,2,'QS>9H',3845736669);
INSERT INTO "action" VALUES(4,7,1,'pass',4042063934);
INSERT INTO "action" VALUES(4,8,2,'6S',2235875528);
INSERT INTO "action" VALUES(4,9,1,'take',549461395);
INSERT INTO "action" VALUES(5,1,0,'deal KH TD QC 7S 8C QD KS 8D JC JS 9S 8H QH TC 9H AH KD 6D KC 6S QS JD TS 8S JH 9D 6C 7H 7C 6H 9C AC TH 7D AS AD',2443078938);
INSERT INTO "action" VALUES(5,2,2,'KS',3480055799);
INSERT INTO "action" VALUES(5,3,1,'take',3287103595);
INSERT INTO "action" VALUES(5,4,2,'pass',3789541276);
CREATE TABLE undo (
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES match (id),
        to_ply INTEGER NOT NULL,                -- the last ply that stayed
        by INTEGER NOT NULL,                    -- the seat that took back
        at TEXT NOT NULL
    );
INSERT INTO undo VALUES(1,2,5,1,'2026-03-01T20:17:09.000+00:00');
CREATE TABLE undone (                       -- the actions that left a record
        undo INTEGER NOT NULL REFERENCES undo (id),
        ply INTEGER NOT NULL,
        by INTEGER NOT NULL,
        act TEXT NOT NULL,
        PRIMARY KEY (undo, ply)
    );
INSERT INTO undone VALUES(1,6,2,'pass');
INSERT INTO undone VALUES(1,7,1,'6H');
CREATE TABLE hold (                         -- the matches being played now
        match INTEGER PRIMARY KEY REFERENCES match (id),
        token TEXT NOT NULL,                    -- new for every time a match is taken up
        pid INTEGER NOT NULL,
        started TEXT NOT NULL,                  -- tells the process from a later one of the same number
        host TEXT NOT NULL,
        since TEXT NOT NULL
    );
CREATE INDEX unfinished ON match (id) WHERE finished IS NULL;
CREATE INDEX undo_of_match ON undo (match);
COMMIT;
PRAGMA user_version = 2;
