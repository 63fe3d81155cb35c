import EventSourcing
import EventStore
import HTTPClient
import JSON
import Observability
import Postgres
import Primitives
import Providers
import Runtime
import ServiceKit

/// Sends what is due: so many at a time, to each endpoint one after another.
///
/// Everything is sent at least once, and with the same `webhook-id` each time: who dies between sending and noting it sends it again.
/// Nothing of an answer is read but its status and `Retry-After`.
@Loop final class WebhookSender {
    /// How soon what waits for its time, or was left by an instance that died, is found.
    private static let pollInterval = Duration.seconds(1)
    /// How often it is counted what waits.
    private static let measuring = Duration.seconds(5)

    private let store: EventStore
    private let queue: WebhookQueue
    private let sealing: WebhookSealing
    private let settings: NotificationsSettings
    private let log: Logger
    private let client: HTTPClient
    private let chance: () -> Double
    /// What is on its way, to endpoints where nothing arrives and to the others.
    private var underWay: [Bool: Int] = [true: 0, false: 0]
    private let freed = Signal()
    /// Whether a place became free since it was looked for something to send.
    private var isFreed = false
    /// Up to where the log was known when it was looked.
    private var seen: Int64 = 0
    private var measuredAt: Int64?

    private static let outcomes = Metrics.shared.counter(
        "webhooks_total", help: "Attempts to send something to an endpoint, by their outcome.", labels: ["outcome"])

    /// - Parameter chance: gives numbers from 0 up to but not 1.
    init(
        _ store: EventStore, _ settings: NotificationsSettings, log: Logger, client: HTTPClient = .outward,
        chance: @escaping () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.store = store
        self.settings = settings
        self.log = log
        self.client = client
        self.chance = chance
        queue = WebhookQueue(pool: store.pool)
        sealing = WebhookSealing(keys: settings.sealing)
        for outcome in ["delivered", "failed"] { Self.outcomes.increment(by: 0, [outcome]) }
    }

    /// Sends until the task is cancelled, and waits for what is on its way then.
    func run() async {
        await RepeatedWork(log, orElse: "what is to be sent could not be looked at").run(pausing: pause) {
            isFreed = false
            seen = store.head.position
            // Those where nothing arrives keep few places, each for as long as a receiver may take.
            for failing in [false, true] {
                let places = failing ? max(1, settings.atOnce / 4) : settings.atOnce
                while underWay[failing, default: 0] < places, let taken = try await take(failing) {
                    begin(taken, failing)
                }
            }
            try await measure()
        }
        while underWay.values.contains(where: { $0 > 0 }) {
            _ = await Loop.task { try await self.freed.wait(atMost: .seconds(1)) }.result
        }
    }

    /// Until something was queued, which always comes with an event, a place is free, or what waits may be due.
    private func pause() async throws {
        if !isFreed { try await store.head.wait(beyond: seen, atMost: Self.pollInterval, or: freed) }
    }

    private func take(_ failing: Bool) async throws -> WebhookQueue.Taken? {
        try await queue.take(failing: failing, deadline: settings.deadline)
    }

    private func begin(_ taken: WebhookQueue.Taken, _ failing: Bool) {
        underWay[failing, default: 0] += 1
        Loop.task {
            do {
                try await self.send(taken)
            } catch {
                // It is taken again when its endpoint is free.
                self.log.warning(
                    "what came of a webhook could not be noted",
                    ["delivery": .uuid(taken.deliveryId), "reason": .string("\(error)")])
            }
            self.underWay[failing, default: 1] -= 1
            self.isFreed = true
            self.freed.raise()
        }
    }

    /// Makes an attempt, and notes what came of it.
    ///
    /// - Throws: `PostgresError`, `AppendError` or `EventDecodingError` when that cannot be noted.
    func send(_ taken: WebhookQueue.Taken) async throws {
        let answer = await attempt(taken)
        CrashPoint.reached("webhook.after-send")
        let failing = taken.failingSince.map { Timestamp.now() - $0 }
        let verdict = WebhookVerdict(answer, attempt: taken.attempt, failing: failing, chance: chance())
        try await queue.settle(taken, answer, verdict)
        Self.outcomes.increment([verdict == .delivered ? "delivered" : "failed"])
        guard verdict != .delivered else { return }
        note(taken, answer, verdict)
        if case .ended(let end) = verdict { try await disable(taken, end) }
    }

    private func attempt(_ taken: WebhookQueue.Taken) async -> WebhookAnswer {
        do {
            let request = try request(taken, at: .now())
            let stream = try await client.stream(request, deadline: settings.deadline, idleDeadline: settings.deadline)
            // Whatever it says besides is nobody's business here, however long it is.
            defer { stream.cancel() }
            let retry = stream.headers.first { $0.name.lowercased() == "retry-after" }
            return .status(stream.status, retryAfter: retry.flatMap { RetryAfter.read($0.value, at: .now()) })
        } catch let error as HTTPClientError {
            return .silence(error.code.rawValue)
        } catch {
            return .silence("unsealable")
        }
    }

    private func request(_ taken: WebhookQueue.Taken, at now: Timestamp) throws -> HTTPClientRequest {
        let id = taken.endpointId
        let address = try sealing.address(taken.sealed.address, of: id)
        var secrets = [try sealing.secret(taken.sealed.secret, of: id)]
        if let earlier = taken.earlierSecret { secrets.append(try sealing.secret(earlier, of: id)) }
        let seconds = now.microseconds / 1_000_000
        let signatures = secrets.map {
            $0.signature(id: taken.deliveryId.description, seconds: seconds, body: taken.body)
        }
        var request = HTTPClientRequest(
            "POST", address,
            headers: [
                ("Content-Type", "application/json"), ("User-Agent", "MirrorMate"),
                ("webhook-id", taken.deliveryId.description), ("webhook-timestamp", "\(seconds)"),
                ("webhook-signature", signatures.joined(separator: " ")),
            ], body: .bytes(Array(taken.body.utf8)))
        request.protocols = ProviderAddress.protocols(of: address)
        let isLocal = settings.allowsLocalReceivers && ProviderAddress.isHere(address)
        request.isForPublicAddress = !isLocal
        request.isSentOnce = true
        return request
    }

    /// Without the address, which says whose endpoint it is.
    private func note(_ taken: WebhookQueue.Taken, _ answer: WebhookAnswer, _ verdict: WebhookVerdict) {
        var fields: JSONObject = [
            "delivery": .uuid(taken.deliveryId), "endpoint": .uuid(taken.endpointId), "kind": .string(taken.kind),
            "attempt": .int(Int64(taken.attempt)),
        ]
        switch answer {
        case .status(let status, _): fields["status"] = .int(Int64(status))
        case .silence(let why): fields["reason"] = .string(why)
        }
        switch verdict {
        case .delivered: break
        case .again: log.info("a webhook did not arrive; it is sent again", fields)
        case .failed: log.warning("a webhook is given up", fields)
        case .ended: log.warning("a webhook is given up, and its endpoint is sent nothing more", fields)
        }
    }

    private func disable(_ taken: WebhookQueue.Taken, _ end: WebhookEnd) async throws {
        let command = WebhooksCommand.disable(ownerId: taken.ownerId, endpointId: taken.endpointId, end)
        do {
            _ = try await CommandHandler<Webhooks>(store).handle(
                command, on: Webhooks.stream(taken.ownerId), id: .v7(), requestHash: [],
                metadata: EventMetadata(owner: taken.ownerId, correlation: .v7(), actor: "webhook-sender"))
        } catch AppendError.erased {
            // Its row is gone, or goes with the erasure.
        }
    }

    /// Now and then: what waits is counted.
    private func measure() async throws {
        let now = monotonicNanoseconds()
        if let last = measuredAt, now - last < Self.measuring.nanosecondsClamped { return }
        measuredAt = now
        let waiting = try await store.pool.query("select count(*) from webhook_deliveries where due_at is not null")
        Metrics.shared.gauge("webhooks_waiting", help: "Webhooks that are to be sent, now or later.").set(
            Double(waiting.rows[0].int(0)))
        Metrics.shared.gauge("webhooks_under_way", help: "Webhooks that this instance sends at the moment.").set(
            Double(underWay.values.reduce(0, +)))
    }
}
