import EventConsumer
import EventRelay
import EventStore
import Observability
import Postgres
import Runtime

/// What `/metrics` shows of the service's schema and of its place in the pipeline, read on request.
///
/// All instances of a service show the same of the schema, so use `max`, not `sum`, over them; what an instance counts
/// itself (`http_…`, `events_appended_total`) adds up.
@Loop struct StoreFigures {
    let store: EventStore
    let relay: Relay
    let consumer: EventConsumer

    /// Brings the gauges up to date. While the database cannot be reached, they stay as they were and `database_up` is 0.
    func measure() async {
        measureProcess()
        let up = Metrics.shared.gauge("database_up", help: "1 when the last look at the database succeeded.")
        do {
            try await Loop.withDeadline(.seconds(3)) {
                try await measureLog()
                try await measureProjections()
                try await measureConsumer()
                try await measureObjects()
                try await measureWork()
            }
            up.set(1)
        } catch {
            up.set(0)
        }
    }

    private func measureProcess() {
        let metrics = Metrics.shared
        metrics.gauge("relay_publishing", help: "1 while this instance publishes.")
            .set(relay.state == .publishing ? 1 : 0)
        var isTroubled = false
        if case .troubled = relay.state { isTroubled = true }
        metrics.gauge("relay_troubled", help: "1 while this instance's relay is stopped by trouble.")
            .set(isTroubled ? 1 : 0)
        metrics.gauge("consumer_partitions_assigned", help: "Partitions that this instance reads.")
            .set(Double(consumer.progress.count))
    }

    private func measureLog() async throws {
        let metrics = Metrics.shared
        let row = try await store.pool.query(
            """
            select coalesce((select max(position) from events), 0), r.cursor,
                coalesce((extract(epoch from clock_timestamp() - (select recorded_at from events
                    where position > r.cursor order by position limit 1)) * 1000)::bigint, 0),
                (select case when refused is null then 0 else 1 end::bigint from head)
            from relay r
            """
        ).rows[0]
        metrics.gauge("log_head_position", help: "Highest position of the log.").set(Double(row.int(0)))
        metrics.gauge("relay_cursor_position", help: "Position up to which all is published.").set(Double(row.int(1)))
        metrics.gauge("relay_age_seconds", help: "Age of the oldest event that is not published yet.")
            .set(Double(row.int(2)) / 1000)
        metrics.gauge("store_refused", help: "1 while appends are refused until a restore is confirmed.")
            .set(Double(row.int(3)))
    }

    private func measureProjections() async throws {
        let metrics = Metrics.shared
        let lag = metrics.gauge(
            "projection_lag_events", help: "Events that a read model has not folded yet.", labels: ["model"])
        let age = metrics.gauge(
            "projection_age_seconds", help: "Age of the oldest event that a read model has not folded yet.",
            labels: ["model"])
        let rows = try await store.pool.query(
            """
            select p.name, coalesce((select max(position) from events), 0) - p.position,
                coalesce((extract(epoch from clock_timestamp() - (select recorded_at from events
                    where position > p.position order by position limit 1)) * 1000)::bigint, 0)
            from projections p
            """
        ).rows
        for row in rows {
            lag.set(Double(row.int(1)), [row.text(0)])
            age.set(Double(row.int(2)) / 1000, [row.text(0)])
        }
    }

    private func measureConsumer() async throws {
        let metrics = Metrics.shared
        let seen = metrics.gauge(
            "consumer_seen_position", help: "Last position seen of a partition.", labels: ["topic", "partition"])
        let broken = metrics.gauge(
            "consumer_chain_broken", help: "1 while messages are missing in a partition.",
            labels: ["topic", "partition"])
        let rows = try await store.pool.query(
            "select topic, partition, seen, case when alarm is null then 0 else 1 end::bigint from consumer_partitions"
        ).rows
        for row in rows {
            let labels = [row.text(0), String(row.int(1))]
            seen.set(Double(row.int(2)), labels)
            broken.set(Double(row.int(3)), labels)
        }
        let parked = try await store.pool.query("select count(*) from parked_messages").rows[0].int(0)
        metrics.gauge("consumer_parked_messages", help: "Messages set aside because they could not be handled.")
            .set(Double(parked))
    }

    private func measureObjects() async throws {
        let due = try await store.pool.query(
            """
            select count(*) from object_intents
            where unwanted and deadline is null or deadline < clock_timestamp()
            """
        ).rows[0].int(0)
        Metrics.shared.gauge("sweeper_backlog_objects", help: "Objects that are due to be removed.").set(Double(due))
    }

    private func measureWork() async throws {
        let stuck = try await store.pool.query("select count(*) from stuck_rows").rows[0].int(0)
        Metrics.shared.gauge("background_stuck_rows", help: "Rows that work in the background could not do.")
            .set(Double(stuck))
    }
}
