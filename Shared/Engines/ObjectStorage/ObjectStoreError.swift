/// Why an operation on the object store failed.
package enum ObjectStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    case missing(String)
    case tooLarge(String)
    case badKey(String)
    /// The number of bytes written differs from the announced size.
    case wrongSize
    /// The disk failed, with errno; a retry may help.
    case failed(Int32)
    /// The store does not answer or is temporarily unable, with the reason; a retry may help.
    case unavailable(String)
    /// The store refuses, and will until its settings or ours change.
    case misconfigured(String)

    /// Whether the same operation may succeed later without intervention.
    package var isRetryable: Bool {
        switch self {
        case .failed, .unavailable: true
        case .missing, .tooLarge, .badKey, .wrongSize, .misconfigured: false
        }
    }

    package var description: String {
        switch self {
        case .missing: "The object does not exist; it was deleted or never written."
        case .tooLarge: "The object is larger than expected."
        case .badKey: "The key does not have the platform's form."
        case .wrongSize: "The object's size differs from the announced one."
        case .failed(let code):
            "The object store failed (errno \(code)); check that its disk is mounted and has free space."
        case .unavailable(let reason): "The object store does not answer: \(reason)"
        case .misconfigured(let reason): reason
        }
    }
}
