package import Configuration

/// The configured object store, from the environment.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `OBJECT_STORE` | address | required | `file:///folder`, or `s3://bucket` or `s3://bucket/prefix` |
/// | `S3_ENDPOINT` | address | Amazon's in the region | the server, such as `http://127.0.0.1:9000` |
/// | `S3_REGION` | text | us-east-1 | the region of the bucket |
/// | `S3_ADDRESSING` | choice | `path` with an endpoint, else `host` | the bucket stands in the path or in the host name |
/// | `S3_ACCESS_KEY` | text | required | for `s3://`: whose requests these are |
/// | `S3_SECRET_KEY` | secret | required | for `s3://`: signs them |
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
