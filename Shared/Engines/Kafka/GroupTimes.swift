import Primitives

/// The timeouts of a consumer group for its members.
package struct GroupTimes: Sendable {
    /// How long after the last heartbeat, which librdkafka sends, a member counts as dead. Default 10 s; Apache Kafka
    /// accepts 6 s to 30 min.
    package var sessionTimeout: Duration
    /// How long after the last ``KafkaConsumer/next(limit:)`` a member counts as stuck. Default 5 min; at least the session
    /// timeout.
    package var maxPollInterval: Duration

    package init(sessionTimeout: Duration = .seconds(10), maxPollInterval: Duration = .seconds(300)) {
        self.sessionTimeout = sessionTimeout
        self.maxPollInterval = maxPollInterval
    }
}

extension KafkaConsumer {
    nonisolated static func options(
        _ group: String, _ times: GroupTimes, _ kind: KafkaSettings.Kind
    ) -> [(name: String, value: String)] {
        let session = max(1, times.sessionTimeout.milliseconds)
        return [
            ("group.id", group), ("enable.auto.commit", "false"), ("enable.auto.offset.store", "false"),
            // A missing offset must be reported, never silently skipped or reset.
            ("auto.offset.reset", "error"),
            // Range assigns a member the same partitions of every topic, so all events of an owner meet in one process.
            ("partition.assignment.strategy", "range"), ("session.timeout.ms", String(session)),
            // A member learns of a rebalance with its next heartbeat.
            ("heartbeat.interval.ms", String(max(1, min(session / 3, 1_000)))),
            ("max.poll.interval.ms", String(max(session, times.maxPollInterval.milliseconds))),
            ("allow.auto.create.topics", "false"),
        ] + fetchOptions(kind)
    }

    /// The options of every client that reads records: a bounded queue and quick recovery.
    nonisolated static func fetchOptions(_ kind: KafkaSettings.Kind) -> [(name: String, value: String)] {
        [
            // The queue is bounded by bytes alone. When it is full, librdkafka stops fetching for up to a second, so
            // small bounds slow down a backlog: 8 MiB gave 26,000 records/s, 32 MiB 82,000; a bound of 2,000 records
            // gave 4,000.
            ("queued.min.messages", "100000"), ("queued.max.messages.kbytes", "16384"), ("fetch.max.bytes", "4194304"),
            ("fetch.message.max.bytes", "1048576"), ("fetch.error.backoff.ms", "100"),
            // The development broker answers a waiting fetch only when its time is up, even if a record arrives.
            ("fetch.wait.max.ms", kind == .development ? "20" : "500"),
        ]
    }
}
