import HTTPServer
import JSON
import Primitives
import Runtime

/// Stands in for Stripe's API on this machine: gives a page for every request, or answers as a test says.
///
/// Answers have the members of `checkout.session`, `billing_portal.session` and errors in the description of Stripe's API
/// (github.com/stripe/openapi) that anything here reads, and some more; none was recorded. The library that Stripe gives out speaks
/// to the same in `Tests/system/support/stripe_api.py`.
@Loop final class StripeStandIn {
    /// A request that came.
    struct Asked {
        let path: String
        let headers: Headers
        /// The body's fields.
        let fields: [String: String]
    }

    /// What becomes of the next requests, before each gets its page.
    var behaviours: [(status: Int, body: JSONValue, headers: Headers)] = []
    private(set) var asked: [Asked] = []
    private let server: HTTPServer
    private let port: Int

    static let key = "rk_test_5f2d1c9b8a7e6f4d3c2b1a09"

    /// What a service needs to sell something at it.
    var variables: [String: String] {
        StripeEvents.variables.merging([
            "STRIPE_SECRET_KEY": Self.key, "STRIPE_API_URL": "http://127.0.0.1:\(port)",
        ]) { $1 }
    }

    private init() throws {
        let router = Router()
        server = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: 0), router: router)
        port = try server.start()
        for path in ["/v1/checkout/sessions", "/v1/billing_portal/sessions"] {
            router.on("POST", path) { [self] request in try await answer(request) }
        }
    }

    /// Runs a test with a stand-in and stops that afterwards.
    ///
    /// - Throws: `ServerError` when it cannot listen, or what the test throws.
    static func run(_ body: @Loop (StripeStandIn) async throws -> Void) async throws {
        let standIn = try StripeStandIn()
        do { try await body(standIn) } catch {
            await standIn.server.stop(deadline: .zero)
            throw error
        }
        await standIn.server.stop(deadline: .zero)
    }

    /// An error as Stripe has it.
    nonisolated static func error(
        _ status: Int, code: String? = nil, parameter: String? = nil, headers: Headers = [:]
    ) -> (status: Int, body: JSONValue, headers: Headers) {
        let error = JSONObject([
            ("type", "invalid_request_error"), ("message", "planted words of the shop"),
            ("doc_url", "https://stripe.com/docs/error-codes/planted"),
        ]).adding(["code": code.map(JSONValue.string), "param": parameter.map(JSONValue.string)])
        return (status, ["error": .object(error)], headers)
    }

    private func answer(_ request: Request) async throws -> Response {
        let text = String(decoding: try await request.body.collect(limit: 65_536), as: UTF8.self)
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
            fields[parts[0]] = parts[1]
        }
        asked.append(Asked(path: request.path, headers: request.headers, fields: fields))
        if !behaviours.isEmpty {
            let behaviour = behaviours.removeFirst()
            return .json(behaviour.body, status: behaviour.status, headers: behaviour.headers)
        }
        guard request.path == "/v1/checkout/sessions" else {
            return .json([
                "id": "bps_1", "object": "billing_portal.session", "url": "https://billing.stripe.com/p/session/test_1",
                "customer": .string(fields["customer"] ?? ""), "livemode": false,
            ])
        }
        return .json([
            "id": .string("cs_test_\(asked.count)"), "object": "checkout.session", "mode": "subscription",
            "livemode": false,
            "url": .string("https://checkout.stripe.com/c/pay/cs_test_\(asked.count)#fidkdWxOYHwnPyd1"),
            "expires_at": 1_900_000_000, "status": "open",
            "customer_details": ["email": "planted@example.org"],
        ])
    }

    private nonisolated static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
