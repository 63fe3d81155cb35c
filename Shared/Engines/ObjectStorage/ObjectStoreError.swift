/// Why an object could not be had.
package enum ObjectStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    case missing(String)
    case tooLarge(String)
    case badKey(String)
    /// Another number of bytes was written than announced.
    case wrongSize
    /// The disk failed, with the system's error number; try again.
    case failed(Int32)
    /// The store does not answer or cannot do it now, and why; try again.
    case unavailable(String)
    /// The store says no, and will as long as nobody changes its settings or ours.
    case misconfigured(String)

    /// Whether the same may succeed later without anybody's doing.
    package var isRetryable: Bool {
        switch self {
        case .failed, .unavailable: true
        case .missing, .tooLarge, .badKey, .wrongSize, .misconfigured: false
        }
    }

    package var description: String {
        switch self {
        case .missing: "The object is not there; it was removed or never written."
        case .tooLarge: "The object is larger than expected."
        case .badKey: "The key is not one that the platform makes."
        case .wrongSize: "The object has another size than announced."
        case .failed(let code): "The object store failed (errno \(code)); see that its disk is there and has room."
        case .unavailable(let reason): "The object store does not answer: \(reason)"
        case .misconfigured(let reason): reason
        }
    }
}
