import Crypto
import HTTPServer
import JSON
import Primitives

/// What the App Store signs: a JSON Web Signature (RFC 7515) by ES256 whose header has, as `x5c`, the certificate of the key, the one that
/// issued that, and a root (`developer.apple.com/documentation/appstoreservernotifications/jwsdecodedheader`).
///
/// The root is that of a file which an operator chose, and never the one in the header. `alg` decides nothing: whatever is not `ES256`
/// is refused.
struct AppleSignature: Sendable {
    /// What Apple's own libraries look for (`ChainVerifier` of `apple/app-store-server-library-swift`): the certificate signs what the
    /// App Store has sold, and an authority for developer relations issued it.
    private static let markers = TrustedRoots.Markers(
        leaf: "1.2.840.113635.100.6.11.1", intermediate: "1.2.840.113635.100.6.2.1")
    private static let algorithm = "ES256"
    private static let limits = JSONLimits(depth: 16, values: 1_000)

    let roots: TrustedRoots

    /// The payload of what is signed well, by certificates that were in force when it was signed, as its `signedDate` says.
    ///
    /// - Throws: the problem `app-store-signature-wrong`.
    func payload(of text: String) throws(Problem) -> JSONObject {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 3, let header = Self.object(parts[0]), let payload = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2]), let signedAt = try? payload.appleMoment("signedDate"),
            // No extension is supported, so a header that requires one is refused (RFC 7515, section 4.1.11).
            header["alg"]?.stringValue == Self.algorithm, header["crit"] == nil,
            let chain = header["x5c"]?.arrayValue?.map({ $0.stringValue.flatMap { Base64.decode($0) } ?? [] }),
            let key = try? roots.key(of: chain, markers: Self.markers, at: signedAt),
            key.verify(signature, of: Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count)))
        else { throw Problem(.appStoreSignatureWrong) }
        return payload
    }

    private static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64URL.decode(part), let value = try? JSONValue.parse(bytes, limits: limits) else {
            return nil
        }
        return value.objectValue
    }
}
