package import HTTPServer
package import JSON
import ServiceKit

/// What a client says of the device that it runs on, so that its owner knows a login session in the list of all.
package enum DeviceName {
    private static let longest = 100

    /// The member `deviceName`, else as much of `User-Agent` as there is place for; nil when the client says nothing.
    ///
    /// - Throws: a problem 422 when the member is too long or has control characters, or `JSONError`.
    package static func of(_ request: Request, _ body: JSONObject) throws -> String? {
        if let name = try body.optionalString("deviceName") {
            guard name.unicodeScalars.count <= longest,
                !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { throw Problem(.deviceNameInvalid) }
            return name.isEmpty ? nil : name
        }
        let agent = (request.headers["user-agent"] ?? "").unicodeScalars.filter { (0x20...0x7E).contains($0.value) }
        return agent.isEmpty ? nil : String(String.UnicodeScalarView(agent.prefix(longest)))
    }
}
