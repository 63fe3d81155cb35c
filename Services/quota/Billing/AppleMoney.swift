import JSON

/// Prices as Apple has them: thousandths of the currency's unit, whatever its smallest unit is
/// (`developer.apple.com/documentation/appstoreserverapi/price`).
enum AppleMoney {
    /// The code of ISO 4217 for no currency.
    static let noCurrency = "xxx"

    /// The currencies of ISO 4217 whose smallest unit is not a hundredth, with how many digits it has behind the point.
    private static let digits: [String: Int] = {
        let none = [
            "bif", "clp", "djf", "gnf", "isk", "jpy", "kmf", "krw", "pyg", "rwf", "ugx", "uyi", "vnd", "vuv", "xaf",
            "xof", "xpf",
        ]
        let three = ["bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"]
        return Dictionary(uniqueKeysWithValues: none.map { ($0, 0) } + three.map { ($0, 3) })
    }()

    /// The price of a transaction in the smallest unit of its currency, and that in lower case; nil where it has none.
    static func price(of transaction: JSONObject) -> (amountMinor: Int64?, currency: String?) {
        guard let currency = transaction["currency"]?.stringValue?.lowercased(),
            let price = transaction["price"]?.intValue
        else { return (nil, nil) }
        let divisor: Int64 = [1_000, 100, 10, 1][digits[currency] ?? 2]
        return (price / divisor, currency)
    }
}
