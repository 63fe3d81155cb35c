import Configuration
import Crypto
import HTTPClient
import JSON
import Observability
import Primitives
import Providers
import Runtime

/// Asks Stripe's API for pages, through the way out: within a deadline, again where that may help, and never so that something is done twice.
@Loop final class StripeClient {
    /// The form of requests and answers; the pinned library of the tests speaks the same.
    nonisolated static let apiVersion = "2026-10-28.endive"
    /// In bytes; a session has a few KiB.
    private nonisolated static let longestAnswer = 262_144
    private nonisolated static let longestURL = 8_192
    /// How many calls are under way at a time: each holds somebody's request for as long as the shop likes.
    private nonisolated static let mostCalls = 32

    private let settings: CheckoutSettings
    private let log: Logger
    private let retry: StripeRetry
    private let chance: () -> Double
    private var calls = 0

    private static let outcomes = Metrics.shared.counter(
        "shop_calls_total", help: "Pages that were asked of shops, by their outcome.",
        labels: ["shop", "page", "outcome"])

    /// - Parameter chance: gives numbers from 0 up to but not 1.
    init(
        _ settings: CheckoutSettings, _ log: Logger, retry: StripeRetry = StripeRetry(),
        chance: @escaping () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.settings = settings
        self.log = log
        self.retry = retry
        self.chance = chance
        for page in PurchasePage.allCases {
            Self.outcomes.increment(by: 0, [StripeNotice.shop, page.rawValue, "given"])
        }
    }

    /// A page as Stripe has made it.
    struct Page: Sendable, Equatable {
        /// Stripe's name for it.
        let id: String
        /// Where its browser is led.
        let url: String
        /// When it is over; nil where Stripe does not say.
        let expiresAt: Timestamp?
    }

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - fields: its parameters, by the names of Stripe's API.
    ///   - wish: the same for every repeat of one wish: Stripe answers those with the page that it has made.
    /// - Throws: ``StripeFailure``, or `CancellationError`.
    func make(_ page: PurchasePage, _ fields: [(String, String)], wish: UUID) async throws -> Page {
        do {
            let answer = try await call(page, fields, wish)
            Self.outcomes.increment([StripeNotice.shop, page.rawValue, "given"])
            return answer
        } catch let failure as StripeFailure {
            Self.outcomes.increment([StripeNotice.shop, page.rawValue, failure.code])
            log.warning(
                "a page of Stripe cannot be given",
                [
                    "page": .string(page.rawValue), "reason": .string(failure.words),
                    "advice": .string(failure.advice),
                ])
            throw failure
        }
    }

    private func call(_ page: PurchasePage, _ fields: [(String, String)], _ wish: UUID) async throws -> Page {
        guard calls < Self.mostCalls else { throw StripeFailure.silent("busy") }
        calls += 1
        defer { calls -= 1 }
        let request = request(page, fields, wish)
        let began = ContinuousClock.now
        var attempt = 0
        while true {
            attempt += 1
            switch try await send(request, within: settings.deadline - (ContinuousClock.now - began)) {
            case .given(let page): return page
            case .failed(let failure, let told):
                let left = settings.deadline - (ContinuousClock.now - began)
                guard let pause = retry.pause(after: told, attempt: attempt, left: left, luck: chance()) else {
                    throw failure
                }
                try await Loop.sleep(for: pause)
            }
        }
    }

    private enum Outcome {
        case given(Page)
        case failed(StripeFailure, StripeRetry.Failure)
    }

    /// Sends a request once.
    private func send(_ request: HTTPClientRequest, within left: Duration) async throws -> Outcome {
        do {
            let answer = try await HTTPClient.outward.send(request, deadline: left)
            if (200...299).contains(answer.status) { return .given(try Self.page(answer)) }
            return .failed(Self.failure(answer), Self.told(answer))
        } catch let error as HTTPClientError {
            return .failed(.silent(error.code.rawValue), StripeRetry.Failure(isPassing: error.isRetryable))
        }
    }

    private func request(_ page: PurchasePage, _ fields: [(String, String)], _ wish: UUID) -> HTTPClientRequest {
        let path =
            switch page {
            case .checkout: "/v1/checkout/sessions"
            case .portal: "/v1/billing_portal/sessions"
            }
        let body = FormBody.bytes(fields)
        // Stripe refuses a key of before that comes with something else, so what is asked for is part of it.
        let key = UUID.v5(namespace: wish, name: Array("\(path) \(settings.apiURL) ".utf8) + body)
        var request = HTTPClientRequest(
            "POST", settings.apiURL + path,
            headers: [
                ("Authorization", "Bearer \(settings.key.reveal())"), ("Stripe-Version", Self.apiVersion),
                ("Idempotency-Key", key.description), ("Content-Type", FormBody.contentType),
                ("Accept", "application/json"), ("User-Agent", "MirrorMate"),
            ], body: .bytes(body))
        request.responseLimit = Self.longestAnswer
        request.protocols = ProviderAddress.protocols(of: settings.apiURL)
        return request
    }

    // MARK: Reading answers

    private nonisolated static func page(_ answer: HTTPClientResponse) throws(StripeFailure) -> Page {
        guard let object = try? JSONObject.parse(answer.body, limits: .foreign),
            let id = object["id"]?.stringValue, id.wholeMatch(of: #/[A-Za-z0-9_]{1,255}/#) != nil,
            let url = object["url"]?.stringValue, url.hasPrefix("https://"), url.utf8.count <= longestURL,
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"\\<>".utf8.contains($0) })
        else { throw .unreadable }
        let seconds = object["expires_at"]?.intValue.flatMap { (0...253_402_300_799).contains($0) ? $0 : nil }
        return Page(id: id, url: url, expiresAt: seconds.map { Timestamp(seconds: $0) })
    }

    private nonisolated static func failure(_ answer: HTTPClientResponse) -> StripeFailure {
        let error = (try? JSONObject.parse(answer.body, limits: .foreign))?["error"]
        let (code, parameter) = (name(error?["code"]), name(error?["param"]))
        if [400, 404].contains(answer.status), code == "resource_missing", parameter == "customer" {
            return .customerUnknown
        }
        return .refused(status: answer.status, name: code.isEmpty ? name(error?["type"]) : code)
    }

    /// Of an error's member only what is a name.
    private nonisolated static func name(_ value: JSONValue?) -> String {
        guard let text = value?.stringValue, text.wholeMatch(of: #/[a-z0-9_]{1,60}/#) != nil else { return "" }
        return text
    }

    private nonisolated static func told(_ answer: HTTPClientResponse) -> StripeRetry.Failure {
        let wished: Bool? =
            switch answer.header("stripe-should-retry") {
            case "true": true
            case "false": false
            default: nil
            }
        return StripeRetry.Failure(
            status: answer.status, isWished: wished,
            after: answer.header("retry-after").flatMap { RetryAfter.read($0, at: .now()) })
    }
}
