/// What the gateway lets through: what the services are told too, by the same variables; and whom it believes.
struct GatewayLimits {
    /// The largest upload, in bytes.
    let uploadBytes: Int
    /// How many event streams an address has open.
    let streams: Int
    /// How many requests an address has open; everybody who uses a stack on this machine comes from one.
    let connections = 1_000
    /// Load balancers in front of it, whose word about a client's address counts: addresses and ranges.
    let trustedProxies: [String]

    /// nginx's directives for ``trustedProxies``.
    var realAddress: String {
        if trustedProxies.isEmpty { return "" }
        let ranges = trustedProxies.map { "    set_real_ip_from \($0);\n" }
        return "    real_ip_header X-Forwarded-For;\n    real_ip_recursive on;\n\(ranges.joined())"
    }

    /// - Parameter variable: gives a variable's value; by default of this process.
    /// - Throws: a failure that names the variable that is no number, or no list of addresses.
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
        trustedProxies = (variable("TRUSTED_PROXIES") ?? "").split(separator: ",").map(String.init)
        guard trustedProxies.allSatisfy({ $0.wholeMatch(of: #/[0-9a-fA-F.:]+(/[0-9]+)?/#) != nil }) else {
            throw Failure(
                .configuration, "proxies-invalid",
                "TRUSTED_PROXIES must be addresses or ranges, such as 10.0.0.0/8, with commas between.",
                advice: "Set it so, or leave it away.")
        }
    }
}
