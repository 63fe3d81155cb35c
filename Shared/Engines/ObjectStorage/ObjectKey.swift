/// The form of object keys: segments of lower-case letters, digits, hyphens and dots, separated by slashes, none starting
/// with a dot. So no key can leave its folder, and none needs encoding in a URL.
enum ObjectKey {
    /// - Throws: ``ObjectStoreError/badKey(_:)``.
    static func check(_ key: String) throws(ObjectStoreError) {
        let allowed = key.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x2F
        }
        guard allowed, !key.isEmpty, !key.hasPrefix("/"),
            !key.split(separator: "/").contains(where: { $0.hasPrefix(".") })
        else { throw .badKey(key) }
    }
}
