/// What the gateway lets through: what the services are told too, by the same variables.
struct GatewayLimits {
    /// The largest upload, in bytes.
    let uploadBytes: Int
    /// How many event streams an address has open.
    let streams: Int
    /// How many requests an address has open; everybody who uses a stack on this machine comes from one.
    let connections = 1_000

    /// - Parameter variable: gives a variable's value; by default of this process.
    /// - Throws: a failure that names the variable that is no number.
    init(_ variable: (String) -> String? = { Variables[$0] }) throws(Failure) {
        func number(_ name: String, default standard: Int) throws(Failure) -> Int {
            guard let text = variable(name), !text.isEmpty else { return standard }
            guard let number = Int(text), number > 0 else {
                throw Failure(
                    .configuration, "limit-invalid", "\(name) must be a whole number above 0.",
                    advice: "Set it to one, or leave it away.")
            }
            return number
        }
        uploadBytes = try number("UPLOAD_LIMIT_BYTES", default: 104_857_600)
        streams = try number("EVENT_STREAMS_PER_ADDRESS", default: 64)
    }
}
