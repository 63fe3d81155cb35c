import CCrypto

/// The owner of one OpenSSL P-256 key.
///
/// Sendable: the key never changes after `init`, and OpenSSL allows concurrent use by operations that each have their own
/// context.
final class EllipticKey: @unchecked Sendable {
    /// The length of a coordinate, and of each half of a raw signature, in bytes.
    static let coordinateLength = 32

    private let pointer: OpaquePointer

    /// Takes ownership of a key; frees and refuses one that is not on the P-256 curve.
    init(takingOver key: OpaquePointer?) throws(CryptoError) {
        guard let key else { throw OpenSSL.failure(.malformedKey) }
        guard EVP_PKEY_is_a(key, "EC") == 1, Self.groupName(of: key) == "prime256v1" else {
            EVP_PKEY_free(key)
            throw OpenSSL.failure(.malformedKey)
        }
        pointer = key
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Lends the key to a body that must not keep it.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(pointer)
    }

    /// The coordinates of the public point, 32 bytes each.
    func coordinates() throws(CryptoError) -> (x: [UInt8], y: [UInt8]) {
        (try coordinate("qx"), try coordinate("qy"))
    }

    private func coordinate(_ name: String) throws(CryptoError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else {
            throw OpenSSL.failure(.libraryFailure)
        }
        defer { BN_free(number) }
        return try BigNumber.bytes(number, length: Self.coordinateLength)
    }

    private static func groupName(of key: OpaquePointer) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            var length = 0
            guard EVP_PKEY_get_group_name(key, buffer.baseAddress, buffer.count, &length) == 1 else { return nil }
            return String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}

/// OpenSSL's numbers as a fixed number of bytes.
enum BigNumber {
    /// The number in network byte order, padded with leading zeros.
    static func bytes(_ number: OpaquePointer, length: Int) throws(CryptoError) -> [UInt8] {
        var written: Int32 = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            written = BN_bn2binpad(number, buffer.baseAddress, Int32(length))
            count = max(0, Int(written))
        }
        guard written == Int32(length) else { throw OpenSSL.failure(.libraryFailure) }
        return bytes
    }
}
