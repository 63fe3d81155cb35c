/// The keys of one purpose that are known at a time, so that they can change: the first seals, all of them open.
package struct SealingKeys: Sendable {
    private let keys: [[UInt8]]

    /// - Parameter keys: 32 bytes each, the present one first.
    package init(_ keys: [[UInt8]]) { self.keys = keys }

    /// Seals bytes with the first key.
    ///
    /// - Parameter associatedData: as of ``AESGCM/seal(_:key:associatedData:)``.
    /// - Throws: as ``AESGCM/seal(_:key:associatedData:)``; `malformedKey` also when there is no key.
    package func seal(_ plaintext: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let key = keys.first else { throw .malformedKey }
        return try AESGCM.seal(plaintext, key: key, associatedData: associatedData)
    }

    /// The bytes that were sealed with one of the keys.
    ///
    /// - Throws: `notAuthentic` when it was none of them, or anything else differs.
    package func open(_ sealed: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
        for key in keys {
            if let bytes = try? AESGCM.open(sealed, key: key, associatedData: associatedData) { return bytes }
        }
        throw .notAuthentic
    }

    /// The place among the keys of the one that bytes were sealed with; nil when it was none of them, or anything else differs.
    package func place(ofKeyOf sealed: [UInt8], associatedData: [UInt8]) -> Int? {
        keys.firstIndex { (try? AESGCM.open(sealed, key: $0, associatedData: associatedData)) != nil }
    }

    /// The same bytes sealed with the first key; nil when they are already.
    ///
    /// - Throws: as ``open(_:associatedData:)``.
    package func resealed(_ sealed: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8]? {
        if let key = keys.first, (try? AESGCM.open(sealed, key: key, associatedData: associatedData)) != nil {
            return nil
        }
        return try seal(try open(sealed, associatedData: associatedData), associatedData: associatedData)
    }
}
