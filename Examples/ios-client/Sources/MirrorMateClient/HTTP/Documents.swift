import Foundation

/// JSON as the API writes it.
enum Documents {
    static func decode<Document: Decodable>(_ type: Document.Type = Document.self, from data: Data) throws -> Document {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = date(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no moment")
            }
            return date
        }
        return try decoder.decode(type, from: data)
    }

    static func encode(_ document: some Encodable) throws -> Data {
        try JSONEncoder().encode(document)
    }

    /// The API's moments have six digits behind the second, which not every Foundation reads.
    static func date(_ text: String) -> Date? {
        guard let dot = text.firstIndex(of: ".") else { return try? Date(text, strategy: .iso8601) }
        let digits = text[dot...].prefix { $0 == "." || $0.isNumber }
        guard let second = try? Date(text[..<dot] + text[digits.endIndex...], strategy: .iso8601),
            let fraction = Double("0" + digits)
        else { return nil }
        return second + fraction
    }
}
