import Contracts
import ServiceKit

/// With which key each service comes to the S3 server: its own (`S3_SESSIONS_ACCESS_KEY` with `S3_SESSIONS_SECRET_KEY` or
/// `S3_SESSIONS_SECRET_KEY_FILE`), else the one for all (`S3_ACCESS_KEY` and so on), which lets each do what any of them may.
enum ObjectKeys {
    /// The services that come to it.
    static var services: [String] {
        BucketCommand.services.filter { $0.objectAccess != ObjectAccess() }.map { $0.name.rawValue }
    }

    /// The variables of a service.
    ///
    /// - Parameter variable: gives a variable's value; by default of this process.
    /// - Throws: a failure when it has the half of a key of its own.
    static func of(
        _ service: String, _ variable: (String) -> String? = { Variables[$0] }
    ) throws(Failure) -> [String: String] {
        func given(_ prefix: String) -> [String: String] {
            var values: [String: String] = [:]
            for name in ["ACCESS_KEY", "SECRET_KEY", "SECRET_KEY_FILE"] {
                if let value = variable(prefix + name), !value.isEmpty { values["S3_" + name] = value }
            }
            return values
        }
        let prefix = "S3_\(service.uppercased())_"
        let own = given(prefix)
        if own.isEmpty { return given("S3_") }
        guard own["S3_ACCESS_KEY"] != nil, own.count > 1 else {
            throw Failure(
                .configuration, "object-key", "\(service) has the half of a key of its own for the S3 server.",
                advice: "Set both \(prefix)ACCESS_KEY and \(prefix)SECRET_KEY_FILE, or neither.")
        }
        return own
    }

    /// The services that come with the key for all, to a server where each could have its own.
    static func shared(_ variable: (String) -> String? = { Variables[$0] }) -> [String] {
        guard variable("OBJECT_STORE")?.hasPrefix("s3:") ?? false else { return [] }
        return services.filter { variable("S3_\($0.uppercased())_ACCESS_KEY") ?? "" == "" }
    }
}
