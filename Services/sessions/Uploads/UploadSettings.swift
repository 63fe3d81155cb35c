package import Configuration

/// What services read from their environment about files that clients bring.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `UPLOAD_KEY` | secret | required | signs upload addresses |
/// | `UPLOAD_ADDRESS_LIFETIME` | duration | 15m | how long an upload address holds |
/// | `UPLOAD_LIMIT_BYTES` | number | 104857600 | the largest upload: by default 100 MiB |
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
