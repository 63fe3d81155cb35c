package import Configuration

/// What services read from their environment about files that clients bring.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `UPLOAD_KEY` | secret | required | signs upload addresses |
/// | `UPLOAD_ADDRESS_LIFETIME` | duration | 15m | how long an upload address holds |
/// | `UPLOAD_LIMIT_BYTES` | number | 104857600 | the largest upload, by default 100 MiB; the gateway reads it too, and lets no more through |
/// | `UPLOAD_BYTES_PER_SECOND` | number | 8192 | what an upload brings at least while it is waited for; one that falls half a minute behind is broken off |
/// | `UPLOAD_BYTES_AT_ONCE` | number | 209715200 | how much of one owner may be under way at once, by what was announced; one upload always may |
package struct UploadSettings: Sendable {
    package let key: [UInt8]
    package let addressLifetime: Duration
    /// In bytes.
    package let limit: Int64
    package let bytesPerSecond: Int64
    package let bytesAtOnce: Int64

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        key = Array(environment.secret("UPLOAD_KEY").reveal().utf8)
        addressLifetime = environment.duration("UPLOAD_ADDRESS_LIFETIME", default: .seconds(900))
        limit = Int64(environment.int("UPLOAD_LIMIT_BYTES", default: 104_857_600, in: 1...(1 << 40)))
        bytesPerSecond = Int64(environment.int("UPLOAD_BYTES_PER_SECOND", default: 8_192, in: 1...(1 << 30)))
        bytesAtOnce = Int64(environment.int("UPLOAD_BYTES_AT_ONCE", default: 209_715_200))
    }
}
