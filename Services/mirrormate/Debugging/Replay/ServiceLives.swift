package import Contracts
import Postgres
package import Primitives
import Runtime

/// An instance of a service, as its row says.
package struct InstanceLife: Sendable, Equatable {
    package let startedAt: Timestamp
    /// When it was seen last.
    package let seenAt: Timestamp
    /// Whether it ended in order.
    package let isClean: Bool
    /// Whether it runs now.
    package let runs: Bool
    /// Whether it is connected and silent: it stands still, or cannot reach the database; or did so until it was heard of again.
    package let isSilent: Bool

    package init(startedAt: Timestamp, seenAt: Timestamp, isClean: Bool, runs: Bool, isSilent: Bool = false) {
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.isClean = isClean
        self.runs = runs
        self.isSilent = isSilent
    }

    /// Its parts before, between and behind the times in which it was silent.
    ///
    /// - Parameter silences: from when to when, in order.
    package func parted(by silences: [(from: Timestamp, until: Timestamp)]) -> [InstanceLife] {
        var parts: [InstanceLife] = []
        var start = startedAt
        for silence in silences {
            parts.append(
                InstanceLife(startedAt: start, seenAt: silence.from, isClean: false, runs: false, isSilent: true))
            start = silence.until
        }
        return parts
            + [
                InstanceLife(
                    startedAt: start, seenAt: max(seenAt, start), isClean: isClean, runs: runs, isSilent: isSilent)
            ]
    }
}

/// A time in which no instance of a service ran.
package struct Outage: Sendable, Equatable, CustomStringConvertible {
    package let service: ServiceName
    /// When the last instance was seen.
    package let from: Timestamp
    /// When the next one started; nil while there is none.
    package let until: Timestamp?
    /// How the last instance came to run no more.
    package let ending: Ending

    /// How an instance came to run no more; the raw value is the stable name.
    package enum Ending: String, Sendable {
        /// It ended in order.
        case clean
        /// It was killed, or died with its machine.
        case killed
        /// It is there, and stands still or cannot reach the database.
        case silent
    }

    package init(service: ServiceName, from: Timestamp, until: Timestamp?, _ ending: Ending) {
        self.service = service
        self.from = from
        self.until = until
        self.ending = ending
    }

    /// How that came, in a few words.
    package var how: String {
        switch ending {
        case .clean: "ended in order"
        case .killed: "killed"
        case .silent: "stood still, or cut off from the database"
        }
    }

    package var description: String {
        if let until {
            "\(service.rawValue) did not run from \(from) to \(until) (\(how))"
        } else {
            "\(service.rawValue) has not run since \(from) (\(how))"
        }
    }
}

/// When the instances of a service ran.
package struct ServiceLives: Sendable {
    package let service: ServiceName
    /// In the order of their starts.
    package let instances: [InstanceLife]
    /// Whether the service runs although no instance is known to, such as while its store refuses what they tell.
    package let runsUntold: Bool

    package init(service: ServiceName, instances: [InstanceLife], runsUntold: Bool = false) {
        self.service = service
        self.instances = instances.sorted { ($0.startedAt, $0.seenAt) < ($1.startedAt, $1.seenAt) }
        self.runsUntold = runsUntold
    }

    /// The times in which none ran, the first one first. What was before the first known start is not one.
    package var outages: [Outage] {
        var outages: [Outage] = []
        // The instance among those so far that ran longest; nil while nobody knows of one.
        var last: InstanceLife?
        for next in instances {
            if let last, !last.runs, next.startedAt > last.seenAt {
                outages.append(
                    Outage(service: service, from: last.seenAt, until: next.startedAt, Self.ending(of: last)))
            }
            if last.map({ !$0.runs && (next.runs || next.seenAt > $0.seenAt) }) ?? true { last = next }
        }
        if let last, !last.runs, !runsUntold {
            outages.append(Outage(service: service, from: last.seenAt, until: nil, Self.ending(of: last)))
        }
        return outages
    }

    private static func ending(of life: InstanceLife) -> Outage.Ending {
        life.isClean ? .clean : life.isSilent ? .silent : .killed
    }
}

extension HistoryStore {
    /// When the instances of the service ran; none are known in a schema of before they were noted.
    ///
    /// - Parameter silence: how old the last heartbeat of one that is connected is at least, which counts as one that stands still.
    /// - Throws: `PostgresError`.
    package func lives(silentAfter silence: Duration = .seconds(4)) async throws -> ServiceLives {
        let rows: [PostgresRow]
        do {
            rows = try await pool.query(
                """
                select started_at, coalesce(ended_at, beat_at), ended_at is not null,
                    ended_at is null and is_connected and beat_at > clock_timestamp() - make_interval(secs => $1),
                    beat_at > clock_timestamp() - interval '1500 ms' and ended_at is null,
                    ended_at is null and is_connected and beat_at <= clock_timestamp() - make_interval(secs => $1), instance
                from service_instances i cross join lateral (select exists (
                    select from pg_stat_activity a
                    where a.datname = current_database() and a.application_name like '% ' || i.instance)) c (is_connected)
                """, [.double(Double(silence.milliseconds) / 1_000)]
            ).rows
        } catch let error as PostgresError {
            guard error.code == .undefinedTable else { throw error }
            return ServiceLives(service: service, instances: [])
        }
        let connected = try await pool.query(
            """
            select exists (select from pg_stat_activity where datname = current_database() and usename = $1
                and application_name like $1 || ' %' and not exists (
                    select from service_instances i where application_name like '% ' || i.instance))
            """, [.text(service.rawValue)]
        ).rows[0].bool(0)
        let silences = try await silences()
        return ServiceLives(
            service: service,
            instances: rows.flatMap {
                InstanceLife(
                    startedAt: $0.time(0), seenAt: $0.time(1), isClean: $0.bool(2), runs: $0.bool(3),
                    isSilent: $0.bool(5)
                ).parted(by: silences[$0.uuid(6)] ?? [])
            },
            // Right after a restart of the database nobody is connected yet.
            runsUntold: connected || rows.contains { $0.bool(4) })
    }
    /// When instances that are known were silent or taken for dead, by their own words after they went on; a month of it.
    private func silences() async throws -> [UUID: [(from: Timestamp, until: Timestamp)]] {
        let rows = try await pool.query(
            """
            select (back.data ->> 'instance')::uuid, (e.data ->> 'lastSeenAt')::timestamptz, back.recorded_at
            from events back cross join lateral (
                select data from events where stream like 'life-%' and type = 'ServiceEnded'
                    and data ->> 'instance' = back.data ->> 'instance' and position < back.position
                order by position desc limit 1) e
            where back.stream like 'life-%' and back.type = 'ServiceReturned'
                and back.recorded_at > clock_timestamp() - interval '31 days'
            order by back.position
            """
        ).rows
        return Dictionary(grouping: rows) { $0.uuid(0) }.mapValues { rows in
            rows.map { (from: $0.time(1), until: $0.time(2)) }
        }
    }
}
