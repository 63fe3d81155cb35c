import Access
package import Crypto
import HTTPClient
import JSON
package import Observability
import Primitives
package import Runtime

/// A provider's keys, fetched when they are needed and kept as long as the provider says.
///
/// - A key that is known and fresh is given at once, whatever the provider's server does.
/// - The set is fetched anew when it is over, and for a name that it does not have, but not more often than every
///   ``Policy/pause``: whoever invents names costs the provider one request a minute.
/// - There is one fetch at a time, which all share who need it; so many may wait and no more, who get what there is.
/// - While it fails, the last good set is used, until that is older than ``Policy/kept``.
@Loop package final class PublishedKeys {
    /// When a set is fetched, and how long it is used.
    package struct Policy: Sendable {
        /// Between two fetches, at least.
        package var pause = Duration.seconds(60)
        /// The same as long as there is no set at all: nobody is let in meanwhile.
        package var pauseWithoutSet = Duration.seconds(5)
        /// How long a set that cannot be fetched anew is used.
        package var kept = Duration.seconds(86_400)
        /// For a whole fetch.
        package var deadline = Duration.seconds(5)

        package init() {}
    }

    /// There is no set, or only one that is too old.
    package struct Unavailable: Error {}

    /// A set without `max-age` is fresh for this long.
    private nonisolated static let usualFreshness: Int64 = 3_600
    /// Whatever `max-age` says, in seconds.
    private nonisolated static let freshness: ClosedRange<Int64> = 60...86_400
    /// How many requests may wait for a fetch.
    private nonisolated static let mostWaiting = 64

    private let request: HTTPClientRequest
    private let policy: Policy
    private let clock: @Loop () -> Int64
    private let log: Logger
    private var keys: [String: RS256PublicKey] = [:]
    /// By the monotonic clock, in nanoseconds; nil when never.
    private var fetchedAt: Int64?
    private var freshUntil: Int64 = 0
    private var triedAt: Int64?
    private var fetching: Task<Void, any Error>?
    private var waiting = 0
    private var isTroubled = false
    /// How often the provider was asked.
    package private(set) var fetches = 0

    /// - Parameters:
    ///   - url: where the provider publishes the set. Redirects are not followed.
    ///   - clock: the monotonic clock, in nanoseconds.
    package init(
        _ url: String, _ policy: Policy, _ log: Logger, clock: @escaping @Loop () -> Int64 = monotonicNanoseconds
    ) {
        var request = HTTPClientRequest("GET", url, headers: [("Accept", "application/json")])
        request.responseLimit = KeySetDocument.longest
        request.protocols = ProviderAddress.protocols(of: url)
        self.request = request
        self.policy = policy
        self.clock = clock
        self.log = log
    }

    /// The key of a name; nil when the provider has none.
    ///
    /// - Throws: ``Unavailable``, or `CancellationError`.
    package func key(_ name: String) async throws -> RS256PublicKey? {
        // Where so many wait already, whoever would come too late has the key that there is.
        if isUsable, let key = keys[name], clock() < freshUntil || waiting >= Self.mostWaiting { return key }
        try await fetchIfDue()
        guard isUsable else { throw Unavailable() }
        return keys[name]
    }

    /// Whether there is a set that is not too old.
    private var isUsable: Bool {
        fetchedAt.map { clock() - $0 <= policy.kept.nanosecondsClamped } ?? false
    }

    private func fetchIfDue() async throws {
        if fetching == nil {
            let pause = (isUsable ? policy.pause : policy.pauseWithoutSet).nanosecondsClamped
            // A set that is over is fetched at once, however lately an invented name had one fetched.
            let isOver = isUsable && !isTroubled && clock() >= freshUntil
            if !isOver, let triedAt, clock() - triedAt < pause { return }
            triedAt = clock()
            fetching = Loop.task { await self.fetch() }
        }
        guard waiting < Self.mostWaiting else { throw Unavailable() }
        waiting += 1
        defer { waiting -= 1 }
        try await fetching?.value
    }

    private func fetch() async {
        defer { fetching = nil }
        fetches += 1
        do {
            let answer = try await HTTPClient.outward.send(request, deadline: policy.deadline)
            guard answer.status == 200 else { return failed("status \(answer.status)") }
            guard let document = KeySetDocument(answer.body) else { return failed("no key set") }
            keys = document.keys
            let now = clock()
            fetchedAt = now
            let fresh = Self.freshSeconds(answer.header("cache-control"), age: answer.header("age"))
            freshUntil = now + fresh * 1_000_000_000
            if isTroubled { log.notice("the provider's keys can be fetched again") }
            isTroubled = false
        } catch {
            failed("\(error)")
        }
    }

    /// Nothing of the answer is written down: it may be of anybody.
    private func failed(_ reason: String) {
        if !isTroubled { log.warning("the provider's keys cannot be fetched", ["reason": .string(reason)]) }
        isTroubled = true
    }

    /// For how long a set is fresh, by the fields `Cache-Control` and `Age` (RFC 9111, sections 5.2.2.1 and 5.1).
    nonisolated static func freshSeconds(_ field: String?, age: String? = nil) -> Int64 {
        let spent = age.flatMap { Int64($0) } ?? 0
        for directive in (field ?? "").lowercased().split(separator: ",") {
            let parts = directive.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == "max-age" else { continue }
            let digits = parts[1].filter { $0 != "\"" && $0 != " " }
            guard let seconds = Int64(digits) else { break }
            return min(max(seconds - min(max(spent, 0), seconds), freshness.lowerBound), freshness.upperBound)
        }
        return usualFreshness
    }
}
