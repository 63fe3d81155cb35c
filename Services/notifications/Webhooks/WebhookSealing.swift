import Crypto
import JSON
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Seals addresses and secrets of endpoints, each bound to its endpoint and to what it is.
struct WebhookSealing: Sendable {
    private enum Part: String {
        case address, secret
    }

    let keys: SealingKeys

    /// - Throws: `CryptoError`.
    func seal(address: String, of endpoint: UUID) throws(CryptoError) -> [UInt8] {
        try keys.seal(Array(address.utf8), associatedData: Self.bound(.address, endpoint))
    }

    /// - Throws: `CryptoError`.
    func seal(_ secret: WebhookSecret, of endpoint: UUID) throws(CryptoError) -> [UInt8] {
        try keys.seal(Array(secret.text.utf8), associatedData: Self.bound(.secret, endpoint))
    }

    /// - Throws: `CryptoError` when none of the keys has sealed it.
    func address(_ sealed: [UInt8], of endpoint: UUID) throws(CryptoError) -> String {
        String(
            decoding: try keys.open(sealed, associatedData: Self.bound(.address, endpoint)), as: UTF8.self)
    }

    /// - Throws: `CryptoError` when none of the keys has sealed it.
    func secret(_ sealed: [UInt8], of endpoint: UUID) throws(CryptoError) -> WebhookSecret {
        let bytes = try keys.open(sealed, associatedData: Self.bound(.secret, endpoint))
        guard let secret = WebhookSecret(String(decoding: bytes, as: UTF8.self)) else { throw .notAuthentic }
        return secret
    }

    private static func bound(_ part: Part, _ endpoint: UUID) -> [UInt8] {
        Array("webhook/\(part.rawValue)/\(endpoint)".utf8)
    }

    // MARK: Another key

    private static let pause = Duration.seconds(300)
    private static let page: Int64 = 500

    /// Seals anew what an earlier key has sealed, every few minutes until the task is cancelled: an instance that was started before a
    /// change may still seal with the earlier key.
    @Loop func keepSealed(_ pool: PostgresPool, _ log: Logger) async {
        await RepeatedWork(log, orElse: "what is sealed could not be looked at").run(every: Self.pause) {
            let outcome = try await reseal(pool)
            if outcome.resealed > 0 {
                log.notice("sealed with the present key", ["endpoints": .int(outcome.resealed)])
            }
            if outcome.unopened > 0 {
                log.error(
                    "no key opens these endpoints; add the one that they are sealed with to WEBHOOK_KEY",
                    ["endpoints": .int(outcome.unopened)])
            }
        }
    }

    /// - Returns: how many endpoints were sealed anew, and how many no key opens.
    /// - Throws: `PostgresError` or `CryptoError`.
    @Loop func reseal(_ pool: PostgresPool) async throws -> (resealed: Int64, unopened: Int64) {
        var (resealed, unopened): (Int64, Int64) = (0, 0)
        var last = UUID(high: 0, low: 0)
        while true {
            let rows = try await pool.query(
                """
                select endpoint_id, address, secret, earlier_secret from webhook_endpoints
                where endpoint_id > $1 order by endpoint_id limit \(Self.page)
                """, [.uuid(last)]
            ).rows
            for row in rows {
                let id = row.uuid(0)
                let columns: [(String, Part, [UInt8]?)] = [
                    ("address", .address, row.bytes(1)), ("secret", .secret, row.bytes(2)),
                    ("earlier_secret", .secret, row.optional(3, PostgresRow.bytes)),
                ]
                var (isNew, isLost) = (false, false)
                for case (let column, let part, let old?) in columns {
                    do {
                        guard let new = try keys.resealed(old, associatedData: Self.bound(part, id)) else { continue }
                        // Unless it is another one meanwhile.
                        _ = try await pool.query(
                            "update webhook_endpoints set \(column) = $2 where endpoint_id = $1 and \(column) = $3",
                            [.uuid(id), .bytes(new), .bytes(old)])
                        isNew = true
                    } catch is CryptoError {
                        isLost = true
                    }
                }
                if isNew { resealed += 1 }
                if isLost { unopened += 1 }
            }
            guard let end = rows.last?.uuid(0) else { return (resealed, unopened) }
            last = end
        }
    }
}
