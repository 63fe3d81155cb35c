package import Configuration
import Crypto
import HTTPClient
import JSON
package import Observability
import Primitives
package import Runtime

/// A server that knows passwords of leaks, asked so that it learns none: it is sent the first five hexadecimal digits of a password's
/// SHA-1 hash and answers with the rest of every hash that begins so (k-anonymity, as Have I Been Pwned does it), among others that
/// are only there so that the answer's length says nothing.
///
/// - An answer is kept for a while, so a password that is tried twice is asked about once.
/// - So many requests are under way at a time and no more.
/// - After a failure nobody is asked for ``Policy/pause``: whoever chooses a password then does not wait for it.
@Loop package final class BreachedPasswordRange {
    /// Whom to ask, and how.
    package struct Policy: Sendable {
        /// The address to which the five digits are added, ending with a slash.
        let url: String
        package var deadline = Duration.seconds(2)
        /// How long an answer is kept.
        package var kept = Duration.seconds(3_600)
        /// After a failure.
        package var pause = Duration.seconds(30)

        /// - Parameter url: as ``ProviderAddress`` has them.
        package init(url: String) { self.url = url.hasSuffix("/") ? url : url + "/" }

        /// Reads the variables; nil when they name no server, and after a problem, which stays in `environment`.
        package init?(_ environment: Environment) {
            let deadline = environment.duration("BREACHED_PASSWORDS_DEADLINE", default: .seconds(2))
            let kept = environment.duration("BREACHED_PASSWORDS_CACHE", default: .seconds(3_600))
            let publicURL = environment.webAddress("PUBLIC_URL", default: "http://127.0.0.1")
            guard let url = environment.optional("BREACHED_PASSWORDS_URL") else { return nil }
            guard ProviderAddress.isValid(url), !url.contains("?") else {
                environment.refuse(
                    Self.variable, "must be an https address such as https://api.pwnedpasswords.com/range/.")
                return nil
            }
            if ProviderAddress.isHere(url), !ProviderAddress.isLocal(publicURL: publicURL) {
                environment.refuse(Self.variable, "is of this machine; it needs a PUBLIC_URL of this machine.")
                return nil
            }
            self.init(url: url)
            self.deadline = deadline
            self.kept = kept
        }

        private static let variable = "BREACHED_PASSWORDS_URL"
    }

    /// The server gave no answer that can be used: what it knows is not known here.
    package struct Unavailable: Error {}

    private struct Answer {
        let suffixes: Set<String>
        /// By the monotonic clock, in nanoseconds.
        let until: Int64
    }

    private nonisolated static let prefixLength = 5
    private nonisolated static let suffixLength = 35
    /// In bytes; the longest that there are, with what is only there for the length, have about a quarter of that.
    private nonisolated static let longestAnswer = 262_144
    /// How many answers are kept: some megabytes.
    private nonisolated static let mostKept = 64
    private nonisolated static let mostRequests = 16

    private let policy: Policy
    private let clock: @Loop () -> Int64
    private let log: Logger
    private var answers: [String: Answer] = [:]
    private var requests = 0
    private var failedAt: Int64?
    private var isTroubled = false

    /// - Parameter clock: the monotonic clock, in nanoseconds.
    package init(
        _ policy: Policy, _ log: Logger, clock: @escaping @Loop () -> Int64 = monotonicNanoseconds
    ) {
        self.policy = policy
        self.clock = clock
        self.log = log
    }

    /// Whether a password was in a leak that the server knows.
    ///
    /// - Throws: ``Unavailable``, or `CancellationError`.
    package func contains(_ password: String) async throws -> Bool {
        let hash = Hex.encode(SHA1.digest(Array(password.utf8))).uppercased()
        let prefix = String(hash.prefix(Self.prefixLength))
        let suffix = String(hash.dropFirst(Self.prefixLength))
        if let known = answers[prefix], clock() < known.until { return known.suffixes.contains(suffix) }
        return try await ask(prefix).contains(suffix)
    }

    private func ask(_ prefix: String) async throws -> Set<String> {
        if let failedAt, clock() - failedAt < policy.pause.nanosecondsClamped { throw Unavailable() }
        guard requests < Self.mostRequests else { throw Unavailable() }
        requests += 1
        defer { requests -= 1 }
        var request = HTTPClientRequest(
            "GET", policy.url + prefix,
            headers: [("Accept", "text/plain"), ("Add-Padding", "true"), ("User-Agent", "MirrorMate")])
        request.responseLimit = Self.longestAnswer
        request.protocols = ProviderAddress.protocols(of: policy.url)
        do {
            let answer = try await HTTPClient.outward.send(request, deadline: policy.deadline)
            guard answer.status == 200 else { throw failed("status \(answer.status)") }
            guard let suffixes = Self.suffixes(answer.body) else { throw failed("no list of hashes") }
            keep(suffixes, of: prefix)
            return suffixes
        } catch let error as HTTPClientError {
            throw failed(error.code.rawValue)
        }
    }

    private func keep(_ suffixes: Set<String>, of prefix: String) {
        if answers.count >= Self.mostKept { answers = answers.filter { clock() < $0.value.until } }
        if answers.count >= Self.mostKept, let first = answers.min(by: { $0.value.until < $1.value.until }) {
            answers[first.key] = nil
        }
        answers[prefix] = Answer(suffixes: suffixes, until: clock() + policy.kept.nanosecondsClamped)
        if isTroubled { log.notice("the server that knows leaked passwords answers again") }
        isTroubled = false
        failedAt = nil
    }

    /// Nothing of the answer is written down: it may be of anybody.
    private func failed(_ reason: String) -> Unavailable {
        if !isTroubled {
            log.warning(
                "the server that knows leaked passwords does not answer; what is known here decides",
                ["reason": .string(reason)])
        }
        isTroubled = true
        failedAt = clock()
        return Unavailable()
    }

    /// The hashes of an answer, without those that were seen nowhere and are there for its length; nil for what is no such answer:
    /// nothing may be read out of the page of somebody in between.
    nonisolated static func suffixes(_ body: [UInt8]) -> Set<String>? {
        var suffixes: Set<String> = []
        var count = 0
        for line in body.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            let parts = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].count == suffixLength, parts[0].allSatisfy(isDigit),
                let seen = Int64(String(decoding: parts[1], as: UTF8.self)), seen >= 0
            else { return nil }
            count += 1
            if seen > 0 { suffixes.insert(String(decoding: parts[0], as: UTF8.self).uppercased()) }
        }
        return count > 0 ? suffixes : nil
    }

    private nonisolated static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
