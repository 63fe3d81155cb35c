import Primitives

/// How patient a consumer group is with a member.
package struct GroupTimes: Sendable {
    /// After this long without a heartbeat, which librdkafka sends, the member counts as dead. Default 10 s; an Apache
    /// Kafka takes 6 s to 30 min.
    package var sessionTimeout: Duration
    /// After this long without ``KafkaConsumer/next(limit:)`` the member counts as stuck. Default 5 min; at least the
    /// session timeout.
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
            // An offset that is gone is a finding, never a reason to skip or repeat silently.
            ("auto.offset.reset", "error"),
            // Range gives a member the same numbers in every topic, so an owner's events meet in one process.
            ("partition.assignment.strategy", "range"), ("session.timeout.ms", String(session)),
            // A member hears of a rebalance with its next heartbeat.
            ("heartbeat.interval.ms", String(max(1, min(session / 3, 1_000)))),
            ("max.poll.interval.ms", String(max(session, times.maxPollInterval.milliseconds))),
            ("allow.auto.create.topics", "false"),
        ] + fetchOptions(kind)
    }

    /// What every reader of records uses: a bounded queue and quick recovery.
    nonisolated static func fetchOptions(_ kind: KafkaSettings.Kind) -> [(name: String, value: String)] {
        [
            // The queue is bounded by bytes alone. A full one makes librdkafka look away for up to a second, so small
            // bounds slow a backlog down: 8 MiB gave 26,000 records a second, 32 MiB 82,000; a bound of 2,000 records
            // 4,000.
            ("queued.min.messages", "100000"), ("queued.max.messages.kbytes", "16384"), ("fetch.max.bytes", "4194304"),
            ("fetch.message.max.bytes", "1048576"), ("fetch.error.backoff.ms", "100"),
            // The development broker answers a waiting fetch only when its time is over, also when a record comes.
            ("fetch.wait.max.ms", kind == .development ? "20" : "500"),
        ]
    }
}
