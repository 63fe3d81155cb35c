import FoundationEssentials

/// Answers as an app's own code reads them: by Foundation's decoder into models, member for member and type for type.
package enum AppDecoding {
    /// Reads the body of an answer.
    ///
    /// - Parameter fromSnakeCase: whether `a_name` is read as `aName`, as the Swift SDK does with users and login sessions.
    /// - Throws: `DecodingError` for what the app could not read.
    package static func decode<T: Decodable>(
        _: T.Type, _ body: [UInt8], fromSnakeCase: Bool = false
    ) throws -> T {
        let decoder = JSONDecoder()
        if fromSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        return try decoder.decode(T.self, from: Data(body))
    }
}

/// A moment as the Swift SDK reads it: date and time, whose offset it does not look at, so that must say nothing.
package struct SDKMoment: Decodable {
    /// - Throws: `DecodingError` for what it would read as another moment, or not at all.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}(Z|\+00:00)/#) != nil else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
    }
}

/// Any JSON, such as the members of metadata.
package struct SDKValue: Decodable {
    package init(from _: any Decoder) {}
}
