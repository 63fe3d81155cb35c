#if canImport(Security)
    import Foundation
    import Security

    /// Keeps tokens in the Keychain of this device. They come into no backup, and are there once the device was unlocked
    /// after its start, so that an upload in the background finds them.
    public struct KeychainTokenStore: TokenStore {
        private let service: String

        /// - Parameter service: the entry's name, one for each server.
        public init(service: String = "mirrormate") { self.service = service }

        public func load() throws -> Kept? {
            var found: CFTypeRef?
            let query = entry.merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw ClientError.keychain(status) }
            // What an earlier version of the app wrote differently counts as nothing: signing in again mends it.
            return try? JSONDecoder().decode(Kept.self, from: data)
        }

        public func save(_ kept: Kept) throws {
            let content: [CFString: Any] = [
                kSecValueData: try JSONEncoder().encode(kept),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(entry as CFDictionary, content as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(entry.merging(content) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw ClientError.keychain(status) }
        }

        private var entry: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "login"]
        }
    }
#endif
