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

    package init(startedAt: Timestamp, seenAt: Timestamp, isClean: Bool, runs: Bool) {
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.isClean = isClean
        self.runs = runs
    }
}

/// A time in which no instance of a service ran.
package struct Outage: Sendable, Equatable, CustomStringConvertible {
    package let service: ServiceName
    /// When the last instance was seen.
    package let from: Timestamp
    /// When the next one started; nil while there is none.
    package let until: Timestamp?
    /// Whether the last instance ended in order; else it was killed, or stands still.
    package let isClean: Bool

    package init(service: ServiceName, from: Timestamp, until: Timestamp?, isClean: Bool) {
        self.service = service
        self.from = from
        self.until = until
        self.isClean = isClean
    }

    package var description: String {
        let how = isClean ? "ended in order" : "killed, or not heard of any more"
        return if let until { "\(service.rawValue) did not run from \(from) to \(until) (\(how))" } else {
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
                    Outage(service: service, from: last.seenAt, until: next.startedAt, isClean: last.isClean))
            }
            if last.map({ !$0.runs && (next.runs || next.seenAt > $0.seenAt) }) ?? true { last = next }
        }
        if let last, !last.runs, !runsUntold {
            outages.append(Outage(service: service, from: last.seenAt, until: nil, isClean: last.isClean))
        }
        return outages
    }
}

extension HistoryStore {
    /// When the instances of the service ran; none are known in a schema of before they were noted.
    ///
    /// - Throws: `PostgresError`.
    package func lives() async throws -> ServiceLives {
        let rows: [PostgresRow]
        do {
            rows = try await pool.query(
                """
                select started_at, coalesce(ended_at, beat_at), ended_at is not null,
                    ended_at is null and beat_at > clock_timestamp() - interval '30 s' and exists (
                        select from pg_stat_activity a
                        where a.datname = current_database() and a.application_name like '% ' || i.instance),
                    beat_at > clock_timestamp() - interval '1500 ms' and ended_at is null
                from service_instances i
                """
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
        return ServiceLives(
            service: service,
            instances: rows.map {
                InstanceLife(startedAt: $0.time(0), seenAt: $0.time(1), isClean: $0.bool(2), runs: $0.bool(3))
            },
            // Right after a restart of the database nobody is connected yet.
            runsUntold: connected || rows.contains { $0.bool(4) })
    }
}
