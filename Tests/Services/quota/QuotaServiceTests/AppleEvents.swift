import Crypto
import JSON
import Primitives
import ServiceTesting

@testable import quota

/// Stands in for Apple's signatures: a root, who issues in its name, and who signs.
struct AppleChain: Sendable {
    static let leafMarker = "1.2.840.113635.100.6.11.1"
    static let intermediateMarker = "1.2.840.113635.100.6.2.1"

    let root: TestCertificate
    let intermediate: TestCertificate
    let leaf: TestCertificate

    /// - Parameters:
    ///   - start: when its certificates come into force, in days from now.
    ///   - end: when they end.
    init(from start: Int64 = -400, to end: Int64 = 400) throws {
        func form(_ name: String, isAuthority: Bool, _ markers: [String]) -> TestCertificate.Form {
            let now = Timestamp.now()
            return TestCertificate.Form(
                name, isAuthority: isAuthority, markers: markers, from: now.adding(seconds: start * 86_400),
                to: now.adding(seconds: end * 86_400))
        }
        root = try TestCertificate(form("Root", isAuthority: true, []))
        intermediate = try TestCertificate(
            form("Relations", isAuthority: true, [Self.intermediateMarker]), by: root)
        leaf = try TestCertificate(form("Signing", isAuthority: false, [Self.leafMarker]), by: intermediate)
    }

    /// Signs as the App Store does.
    ///
    /// - Parameters:
    ///   - chain: the certificates of the header, instead of its own.
    ///   - key: instead of the leaf's.
    func sign(
        _ payload: JSONObject, algorithm: JSONValue = "ES256", chain: [[UInt8]]? = nil, key: ES256PrivateKey? = nil,
        header more: JSONObject = [:]
    ) throws -> String {
        let chain = chain ?? [leaf.der, intermediate.der, root.der]
        let header: JSONObject = ["alg": algorithm, "x5c": .array(chain.map { .string(Base64.encode($0)) })]
        let signed =
            Base64URL.encode(JSONValue.object(header.adding(membersOf: more)).bytes) + "."
            + Base64URL.encode(JSONValue.object(payload).bytes)
        return signed + "." + Base64URL.encode(try (key ?? leaf.key).sign(Array(signed.utf8)))
    }
}

/// Stands in for the App Store: makes notifications and transactions as it does, with more in them than anything here reads.
struct AppleEvents {
    let chain: AppleChain
    /// The account that the app names at a purchase; nil for an app that names none.
    var token: UUID?
    var now = Timestamp(seconds: Timestamp.now().seconds)
    /// The first transaction of the subscription.
    var original = "2000000000000001"
    var environment = "Production"
    var bundle = "org.example.app"

    /// The variables of a service that sells there.
    func variables(_ folder: TemporaryFolder) -> [String: String] {
        [
            "APPLE_ROOT_FILE": folder.write(chain.root.pem, to: "apple-root.pem"),
            "APPLE_BUNDLES": "org.example.other, org.example.app",
            "APPLE_PRODUCTS": "app.plus.monthly=premium,app.plus.yearly=premium",
        ]
    }

    /// A moment some days and seconds from now.
    func days(_ count: Int64, and seconds: Int64 = 0) -> JSONValue {
        .int((now.seconds + count * 86_400 + seconds) * 1_000)
    }

    /// A transaction: by default of a month that is paid for since yesterday.
    ///
    /// - Parameter second: when it was signed, in seconds from now.
    func transaction(
        _ id: String = "2000000000000001", product: String = "app.plus.monthly", from: Int64 = -1, to: Int64 = 29,
        second: Int64 = 0, more: JSONObject = [:]
    ) -> JSONObject {
        JSONObject().adding([
            "transactionId": .string(id), "originalTransactionId": .string(original), "bundleId": .string(bundle),
            "productId": .string(product), "type": "Auto-Renewable Subscription", "quantity": 1,
            "purchaseDate": days(from), "originalPurchaseDate": days(-1), "expiresDate": days(to),
            "signedDate": days(0, and: second), "environment": .string(environment), "price": 9990,
            "currency": "EUR", "inAppOwnershipType": "PURCHASED", "storefront": "DEU", "storefrontId": "143443",
            "webOrderLineItemId": "planted-line", "appTransactionId": "planted-download",
            "appAccountToken": token.map { .string("\($0)".uppercased()) },
        ]).adding(membersOf: more)
    }

    /// What is to come of the subscription.
    func renewal(renews: Bool = true, more: JSONObject = [:]) -> JSONObject {
        let all: JSONObject = [
            "originalTransactionId": .string(original), "autoRenewProductId": "app.plus.monthly",
            "productId": "app.plus.monthly", "autoRenewStatus": renews ? 1 : 0, "signedDate": days(0),
            "environment": .string(environment), "recentSubscriptionStartDate": days(-1),
            "appTransactionId": "planted-download",
        ]
        return all.adding(membersOf: more)
    }

    /// A notification, signed.
    ///
    /// - Parameters:
    ///   - type: with the subtype behind a stroke.
    ///   - second: when it was signed, in seconds from now.
    func notification(
        _ id: String, _ type: String, second: Int64 = 0, _ transaction: JSONObject?, _ renewal: JSONObject? = nil,
        status: Int64? = 1
    ) throws -> String {
        let data = JSONObject().adding([
            "appAppleId": 1_234_567_890, "bundleId": .string(bundle), "bundleVersion": "7",
            "environment": .string(environment), "status": status.map(JSONValue.int),
            "signedTransactionInfo": try transaction.map { .string(try chain.sign($0)) },
            "signedRenewalInfo": try renewal.map { .string(try chain.sign($0)) },
        ])
        return try chain.sign(payload(id, type, second: second, data))
    }

    /// What a notification has that is not signed yet.
    func payload(_ id: String, _ type: String, second: Int64 = 0, _ data: JSONObject) -> JSONObject {
        let words = type.split(separator: "/").map(String.init)
        return JSONObject().adding([
            "notificationType": .string(words[0]), "subtype": words.count > 1 ? .string(words[1]) : nil,
            "notificationUUID": .string(id), "version": "2.0", "signedDate": days(0, and: second),
            "data": .object(data),
        ])
    }

    /// One of a subscription that was bought yesterday.
    func subscribed(_ id: String = "n1", second: Int64 = 0) throws -> String {
        try notification(id, "SUBSCRIBED/INITIAL_BUY", second: second, transaction(), renewal())
    }
}

extension ServiceUnderTest {
    /// Sends a notification as the App Store does.
    @discardableResult
    func apple(_ signedPayload: String, to instance: Instance? = nil) async throws -> Answer {
        let body: JSONValue = ["signedPayload": .string(signedPayload)]
        return try await send(
            "POST", "/v1/webhooks/apple", headers: [("Content-Type", "application/json")], body: body.bytes,
            to: instance)
    }

    /// Hands in a transaction as an app does.
    @discardableResult
    func handIn(_ signedTransaction: String, as user: UUID) async throws -> Answer {
        try await send(
            "POST", "/v1/purchases/apple", as: user, json: ["signedTransaction": .string(signedTransaction)])
    }
}
