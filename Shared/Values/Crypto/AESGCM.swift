import CCrypto

/// Authenticated encryption with AES-256 in Galois/counter mode (NIST SP 800-38D), for keys at rest.
///
/// Sealed bytes are a random 12-byte nonce, the ciphertext and a 16-byte tag. With random nonces, one key is good for
/// 2^32 seals.
package enum AESGCM {
    /// The length of a key in bytes.
    package static let keyLength = 32

    private static let nonceLength = 12
    private static let tagLength = 16

    /// Encrypts and authenticates bytes under a 32-byte key.
    /// - Parameter associatedData: what the sealed bytes belong to, such as the id of their record. It is
    ///   authenticated but not stored, and must be the same for ``open(_:key:associatedData:)``.
    /// - Throws: ``CryptoError``: `malformedKey` if the key is not 32 bytes long, `libraryFailure` if OpenSSL fails or
    ///   the plaintext exceeds 2 GiB.
    package static func seal(
        _ plaintext: [UInt8], key: [UInt8], associatedData: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        let nonce = SecureRandom.bytes(nonceLength)
        let context = try CipherContext(key: key, nonce: nonce, encrypting: true)
        try context.authenticate(associatedData)
        let ciphertext = try context.update(plaintext)
        guard context.finish() else { throw OpenSSL.failure(.libraryFailure) }
        return nonce + ciphertext + (try context.tag(length: tagLength))
    }

    /// The bytes that were sealed under the key with the same associated data.
    /// - Throws: `notAuthentic` if anything about them differs.
    package static func open(
        _ sealed: [UInt8], key: [UInt8], associatedData: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= nonceLength + tagLength else { throw .notAuthentic }
        let context = try CipherContext(key: key, nonce: Array(sealed.prefix(nonceLength)), encrypting: false)
        try context.authenticate(associatedData)
        let plaintext = try context.update(Array(sealed.dropFirst(nonceLength).dropLast(tagLength)))
        try context.expect(tag: Array(sealed.suffix(tagLength)))
        guard context.finish() else { throw OpenSSL.failure(.notAuthentic) }
        return plaintext
    }
}

/// The owner of one OpenSSL cipher context.
private struct CipherContext: ~Copyable {
    private let pointer: OpaquePointer

    init(key: [UInt8], nonce: [UInt8], encrypting: Bool) throws(CryptoError) {
        guard key.count == AESGCM.keyLength else { throw .malformedKey }
        guard let pointer = EVP_CIPHER_CTX_new() else { throw OpenSSL.failure(.libraryFailure) }
        guard EVP_CipherInit_ex2(pointer, EVP_aes_256_gcm(), key, nonce, encrypting ? 1 : 0, nil) == 1 else {
            EVP_CIPHER_CTX_free(pointer)
            throw OpenSSL.failure(.libraryFailure)
        }
        self.pointer = pointer
    }

    deinit { EVP_CIPHER_CTX_free(pointer) }

    func authenticate(_ data: [UInt8]) throws(CryptoError) {
        let length = try Self.length(data)
        var written: Int32 = 0
        guard data.isEmpty || EVP_CipherUpdate(pointer, nil, &written, data, length) == 1 else {
            throw OpenSSL.failure(.libraryFailure)
        }
    }

    /// Encrypts or decrypts; in this mode the output is as long as the input.
    func update(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard !input.isEmpty else { return [] }
        let length = try Self.length(input)
        var written: Int32 = 0
        var succeeded = false
        let output = [UInt8](unsafeUninitializedCapacity: input.count) { buffer, count in
            succeeded = EVP_CipherUpdate(pointer, buffer.baseAddress, &written, input, length) == 1
            count = succeeded ? Int(written) : 0
        }
        guard succeeded else { throw OpenSSL.failure(.libraryFailure) }
        return output
    }

    /// Ends the operation; false if opening and the tag is not the expected one.
    func finish() -> Bool {
        var nothing: Int32 = 0
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { buffer in
            EVP_CipherFinal_ex(pointer, buffer.baseAddress, &nothing) == 1
        }
    }

    func tag(length: Int) throws(CryptoError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: length)
        guard EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(length), &tag) == 1 else {
            throw OpenSSL.failure(.libraryFailure)
        }
        return tag
    }

    func expect(tag: [UInt8]) throws(CryptoError) {
        var tag = tag
        guard EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
            throw OpenSSL.failure(.libraryFailure)
        }
    }

    /// The count as OpenSSL's `int`, which limits one call to 2 GiB.
    private static func length(_ bytes: [UInt8]) throws(CryptoError) -> Int32 {
        guard let length = Int32(exactly: bytes.count) else { throw .libraryFailure }
        return length
    }
}
