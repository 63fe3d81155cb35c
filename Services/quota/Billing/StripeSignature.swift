import Configuration
import Crypto
import HTTPServer
import Primitives

/// The header `Stripe-Signature`: `t=SECONDS,v1=HEX,…`, where each `v1` is an HMAC-SHA-256 over `SECONDS.BODY`.
enum StripeSignature {
    /// How many signatures of one header are looked at; Stripe sends one for each of its secrets, two while they change.
    private static let mostSignatures = 8

    /// Checks the bytes of a body, as they came.
    ///
    /// - Parameters:
    ///   - header: as it came; nil when there is none.
    ///   - secrets: those of the endpoint, several while they change.
    ///   - tolerance: how far the time of the signature may be from `now`, before or after.
    /// - Throws: the problem `webhook-signature-wrong`, or `webhook-signature-late` for a good one of another time.
    static func check(
        _ body: [UInt8], _ header: String?, secrets: [Secret], now: Timestamp, tolerance: Duration
    ) throws(Problem) {
        var time: Substring?
        var signatures: [[UInt8]] = []
        for part in (header ?? "").split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { continue }
            switch pair[0].drop(while: { $0 == " " }) {
            case "t": time = pair[1]
            case "v1":
                if signatures.count < mostSignatures, let bytes = Hex.decode(pair[1]) { signatures.append(bytes) }
            default: break
            }
        }
        // Up to the year 2286, far from where arithmetic with times ends.
        guard let time, time.utf8.count <= 10, let seconds = Int64(time), seconds >= 0 else {
            throw Problem(.webhookSignatureWrong)
        }
        let message = Array("\(time).".utf8) + body
        let isSigned = secrets.contains { secret in
            // Once, however many signatures there are: anybody may send a large body with as many as they like.
            let right = HMACSHA256.authenticate(message, key: Array(secret.reveal().utf8))
            return signatures.contains { ConstantTime.equal($0, right) }
        }
        guard isSigned else { throw Problem(.webhookSignatureWrong) }
        let off = now - Timestamp(seconds: seconds)
        guard off <= tolerance, off >= .zero - tolerance else { throw Problem(.webhookSignatureLate) }
    }
}
