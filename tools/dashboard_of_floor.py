"""The dashboard of a floor: its tables, and the way of their messages to the store."""

from tools.dashboard_panels import Dashboard, Panel, Query, lines, quantile, stat

FLOOR = Dashboard(
    "table-controller-floor",
    "Floor",
    "floor",
    "table_controller_floor_",
    "table_controller_floor_tables",
    (
        stat("Tables", "short", "Tables that were ever heard.", "sum(max by (floor, game) (@tables))"),
        stat("Online", "short", "Publishers that are connected.", "sum(max by (floor, game) (@tables_online))"),
        stat("Playing", "short", "Tables that run.", "sum(max by (floor, game) (@tables_playing))"),
        stat("Locked", "short", "Locked, or in malfunction.", "sum(max by (floor, game) (@tables_locked))"),
        stat(
            "Escalated", "short", "Alerts nobody acknowledged in time.", "sum(max by (floor) (@alerts_escalated))"
        ),
        stat("Broker", "bool", "Whether each process can hear the tables.", "min(@broker_connected)"),
        lines(
            "Rounds",
            "short",
            "Rounds stored in an hour, by game; over all processes of the floor.",
            ('3600 * sum by (game) (rate(@rounds_total{fate="stored"}[$__rate_interval]))', "{{game}}"),
        ),
        lines(
            "Void spins",
            "short",
            "In an hour, by reason.",
            ("3600 * sum by (reason) (rate(@voids_total[$__rate_interval]))", "{{reason}}"),
            rare="no spin was void",
        ),
        lines(
            "Lag",
            "s",
            "From the closing of a round, by its table's clock, to its arrival: half of the rounds, and 99 of 100.",
            (quantile("0.5", "round_lag_seconds"), "half"),
            (quantile("0.99", "round_lag_seconds"), "99 of 100"),
        ),
        lines(
            "Waiting for the store",
            "short",
            "Messages that have arrived and are not stored yet.",
            ("sum by (instance) (@queue_messages)", "{{instance}}"),
        ),
        lines(
            "Waiting, in memory", "bytes", "What these take.", ("sum by (instance) (@queue_bytes)", "{{instance}}")
        ),
        lines(
            "Transactions",
            "s",
            "How long one takes: half of them, and 99 of 100.",
            (quantile("0.5", "batch_duration_seconds"), "half"),
            (quantile("0.99", "batch_duration_seconds"), "99 of 100"),
        ),
        lines(
            "Messages",
            "short",
            "That arrive in a second, by topic.",
            ("sum by (topic) (rate(@messages_received_total[$__rate_interval]))", "{{topic}}"),
        ),
        lines(
            "Not taken",
            "short",
            "Refused in an hour by reason, and dropped past a quota.",
            ("3600 * sum by (reason) (rate(@messages_refused_total[$__rate_interval]))", "refused: {{reason}}"),
            ("3600 * sum(rate(@messages_dropped_total[$__rate_interval]))", "dropped"),
        ),
        lines(
            "Active alerts",
            "short",
            "By kind; the floor's page names table and remedy.",
            ("max by (floor, kind) (@alerts_active)", "{{kind}}"),
            rare="no alert is active",
        ),
        lines(
            "Rounds that are missing or contradict",
            "short",
            "Tables with gaps; rounds disputed or not proven in an hour.",
            ("max by (floor) (@tables_incomplete)", "tables with gaps"),
            ('3600 * sum by (fate) (rate(@rounds_total{fate=~"disputed|unproven"}[$__rate_interval]))', "{{fate}}"),
        ),
        lines(
            "Requests for rounds",
            "short",
            "Sent to tables in an hour.",
            ("3600 * sum(rate(@resend_requests_total[$__rate_interval]))", "requests"),
        ),
        lines(
            "Failures",
            "short",
            "In an hour: transactions that are tried again, connections that ended.",
            ("3600 * sum(rate(@store_errors_total[$__rate_interval]))", "store"),
            ("3600 * sum(rate(@broker_connection_failures_total[$__rate_interval]))", "broker"),
        ),
        Panel(
            "Tables by state",
            "bargauge",
            "short",
            "Playing tables by the state of their game.",
            (Query("sum by (state) (max by (floor, game, state) (@table_states))", "{{state}}"),),
        ),
        Panel(
            "Devices out of order",
            "table",
            "short",
            "As the tables last said; the device wheel: findings on a wheel's health.",
            (Query("max by (floor, device, state) (@devices_faulty)"),),
            rare="every device is in order",
        ),
    ),
)
