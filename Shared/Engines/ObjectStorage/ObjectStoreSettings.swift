package import Configuration

/// The configured object store, from the environment.
///
/// | Variable | Meaning |
/// |---|---|
/// | `OBJECT_STORE` | `file:///folder`, or `s3://bucket` or `s3://bucket/prefix` |
/// | `S3_ENDPOINT` | the server, such as `http://127.0.0.1:9000`; default: Amazon's in the region |
/// | `S3_REGION` | default `us-east-1` |
/// | `S3_ADDRESSING` | `path` (bucket in the path) or `host` (bucket in the host name); default `path` with an endpoint |
/// | `S3_ACCESS_KEY`, `S3_SECRET_KEY` or `S3_SECRET_KEY_FILE` | our credentials |
package enum ObjectStoreSettings: Sendable, Equatable {
    case folder(String)
    case s3(S3Settings)

    /// Reads the variables; problems are collected in `environment`.
    package init(_ environment: Environment) {
        let text = environment.string("OBJECT_STORE")
        if text.hasPrefix("file:///"), text.utf8.count > 8, !text.contains("%") {
            self = .folder(String(text.dropFirst(7)))
        } else if text.hasPrefix("s3://") {
            self = .s3(S3Settings(place: text.dropFirst(5), environment))
        } else {
            if !text.isEmpty {
                environment.refuse(
                    "OBJECT_STORE", "must be file:///folder (an absolute path without %) or s3://bucket/prefix.")
            }
            self = .folder("")
        }
    }

    /// The store that the settings describe.
    package func makeStore() -> any ObjectStore {
        switch self {
        case .folder(let path): FileObjectStore(root: path)
        case .s3(let settings): S3ObjectStore(settings)
        }
    }
}
