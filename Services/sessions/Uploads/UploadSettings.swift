package import Configuration

/// What services read from their environment about files that clients bring.
///
/// | Variable | Meaning |
/// |---|---|
/// | `UPLOAD_KEY` or `UPLOAD_KEY_FILE` | signs upload addresses |
/// | `UPLOAD_ADDRESS_LIFETIME` | how long an upload address holds, default 15m |
/// | `UPLOAD_LIMIT_BYTES` | the largest upload, default 104857600 (100 MiB) |
package struct UploadSettings: Sendable {
    package let key: [UInt8]
    package let addressLifetime: Duration
    /// In bytes.
    package let limit: Int64

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        key = Array(environment.secret("UPLOAD_KEY").reveal().utf8)
        addressLifetime = environment.duration("UPLOAD_ADDRESS_LIFETIME", default: .seconds(900))
        limit = Int64(environment.int("UPLOAD_LIMIT_BYTES", default: 104_857_600))
    }
}
