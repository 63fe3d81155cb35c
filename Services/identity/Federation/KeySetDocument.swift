package import Crypto
import JSON

/// A provider's published key set (RFC 7517, section 5): the keys for RS256 in it, by their names.
package struct KeySetDocument: Sendable, Equatable {
    /// How long a document may be, in bytes. Google's has about 1,500, Apple's about 4,000.
    package static let longest = 65_536
    /// How many keys of all kinds it may have.
    private static let most = 32

    package let keys: [String: RS256PublicKey]

    /// - Returns: nil for what is no key set, is longer than ``longest``, has more keys than a provider publishes, two of one
    ///   name, or none that can be used. Keys for other algorithms are left out (RFC 7517, section 5).
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest, let document = try? JSONObject.parse(bytes, limits: .foreign),
            let all = document["keys"]?.arrayValue, all.count <= Self.most
        else { return nil }
        var keys: [String: RS256PublicKey] = [:]
        for value in all {
            guard let (name, key) = Self.key(value) else { continue }
            guard keys.updateValue(key, forKey: name) == nil else { return nil }
        }
        guard !keys.isEmpty else { return nil }
        self.keys = keys
    }

    private static func key(_ value: JSONValue) -> (String, RS256PublicKey)? {
        guard value["kty"]?.stringValue == "RSA", (value["alg"] ?? "RS256") == "RS256",
            (value["use"] ?? "sig") == "sig", let name = value["kid"]?.stringValue, !name.isEmpty,
            let modulus = value["n"]?.stringValue, let exponent = value["e"]?.stringValue,
            let key = try? RS256PublicKey(jwkN: modulus, jwkE: exponent)
        else { return nil }
        return (name, key)
    }
}
