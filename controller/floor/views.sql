-- Views for figures, the same on SQLite and PostgreSQL. Grafana and people with a database client read them.
-- Hours are those in which rounds closed, in UTC, as in 2026-11-21T17. Restrict each query to the hours that it needs:
-- WHERE hour >= '2026-11-21T00'. The comment above a view is its description in PostgreSQL and in the documents.

-- Rounds, voids and corrections of each table by hour. per_hour is rounds per hour of play.
CREATE VIEW rounds_per_hour AS
SELECT hour, "table", game,
    CAST(SUM(CASE WHEN what = 'round' THEN count ELSE 0 END) AS BIGINT) AS rounds,
    ROUND(SUM(CASE WHEN what = 'round' THEN ms ELSE 0 END) / 60000.0, 1) AS minutes_of_play,
    ROUND(SUM(CASE WHEN what = 'round' THEN count ELSE 0 END) * 3600000.0
        / NULLIF(SUM(CASE WHEN what = 'round' THEN ms ELSE 0 END), 0), 1) AS per_hour,
    CAST(SUM(CASE WHEN what = 'void' THEN count ELSE 0 END) AS BIGINT) AS voids,
    CAST(SUM(CASE WHEN what = 'correction' THEN count ELSE 0 END) AS BIGINT) AS corrections
FROM sums WHERE what IN ('round', 'void', 'correction') GROUP BY hour, "table", game;

-- Void spins and rolls by reason, with table, game, dealer and wheel.
CREATE VIEW voids_by_reason AS
SELECT hour, "table", game, dealer, wheel, name AS reason, count AS voids FROM sums WHERE what = 'void';

-- Results by name, with table, game, dealer and wheel.
CREATE VIEW results_by_hour AS
SELECT hour, "table", game, dealer, wheel, name AS result, count AS results FROM sums WHERE what = 'result';

-- Minutes that rounds spent in each state of their game, at most ten minutes of one round.
CREATE VIEW time_in_states AS
SELECT hour, "table", game, dealer, wheel, name AS state, count AS rounds, ROUND(ms / 60000.0, 1) AS minutes
FROM sums WHERE what = 'phase';

-- Throws of a wheel or ball by dealer and direction. too_slow were void for too few revolutions.
CREATE VIEW throws_by_dealer AS
SELECT hour, dealer, game,
    CAST(SUM(CASE WHEN what = 'throw' THEN count ELSE 0 END) AS BIGINT) AS throws,
    CAST(SUM(CASE WHEN name = 'clockwise' THEN count ELSE 0 END) AS BIGINT) AS clockwise,
    CAST(SUM(CASE WHEN name = 'counterclockwise' THEN count ELSE 0 END) AS BIGINT) AS counterclockwise,
    CAST(SUM(CASE WHEN what = 'void' THEN count ELSE 0 END) AS BIGINT) AS too_slow
FROM sums WHERE what = 'throw' OR what = 'void' AND name = 'fewer-than-three-revolutions'
GROUP BY hour, dealer, game;

-- Spins by section of each wheel with the expected number, clockwise around the rim from position 0.
CREATE VIEW wheel_sections AS
WITH RECURSIVE places(position) AS (SELECT 0 UNION ALL SELECT position + 1 FROM places WHERE position < 99)
SELECT w."table", w.wheel, w.sections, p.position, COALESCE(w.labels ->> p.position, '') AS label,
    CAST(COALESCE(SUM(c.count), 0) AS BIGINT) AS spins,
    w.spins * 1.0 / w.sections AS expected,
    CAST(SUM(CASE WHEN c.direction = 'clockwise' THEN c.count ELSE 0 END) AS BIGINT) AS clockwise,
    CAST(SUM(CASE WHEN c.direction = 'counterclockwise' THEN c.count ELSE 0 END) AS BIGINT) AS counterclockwise
FROM wheels w JOIN places p ON p.position < w.sections
LEFT JOIN wheel_counts c
    ON c."table" = w."table" AND c.wheel = w.wheel AND c.sections = w.sections AND c.position = p.position
GROUP BY w."table", w.wheel, w.sections, p.position, w.labels ->> p.position, w.spins;

-- Evidence against each wheel as log10 of the odds (docs/floor.md), and the chi-square statistic of its counts.
CREATE VIEW wheel_fairness AS
SELECT w."table", w.wheel, w.sections, w.game, w.spins, w.evidence, w.highest, w.suspicion, w.alarmed,
    SUM((s.spins - s.expected) * (s.spins - s.expected) / NULLIF(s.expected, 0)) AS chi_square
FROM wheels w JOIN wheel_sections s ON s."table" = w."table" AND s.wheel = w.wheel AND s.sections = w.sections
GROUP BY w."table", w.wheel, w.sections, w.game, w.spins, w.evidence, w.highest, w.suspicion, w.alarmed;

-- Measures of each wheel by day (UTC), as averages over its spins: loss of speed in permille of the calibrated one,
-- offset of the pegs by direction in thousandths of a degree, and the largest offset of one peg.
CREATE VIEW wheel_health AS
SELECT "table", wheel, sections, SUBSTR(utc, 1, 10) AS day, COUNT(*) AS spins,
    COUNT(*) - COUNT(position) AS without_result,
    COUNT(widest_mdeg) AS measured,
    CAST(ROUND(AVG(loss_permille)) AS INTEGER) AS loss_permille,
    CAST(ROUND(AVG(clockwise_mdeg)) AS INTEGER) AS clockwise_mdeg,
    CAST(ROUND(AVG(counterclockwise_mdeg)) AS INTEGER) AS counterclockwise_mdeg,
    MAX(ABS(widest_mdeg)) AS widest_mdeg
FROM spins GROUP BY "table", wheel, sections, SUBSTR(utc, 1, 10);

-- Tables whose publisher is not connected, or whose own process does not run.
CREATE VIEW silent_tables AS
SELECT "table", game, CASE WHEN online THEN 'not running' ELSE 'offline' END AS why, online_since AS since, heard
FROM tables WHERE NOT (online AND running);

-- Alerts that have not ended.
CREATE VIEW standing_alerts AS
SELECT id, "table", kind, code, text, remedy, round, at FROM alerts WHERE ended IS NULL;
