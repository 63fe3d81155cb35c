extension JSONValue {
    /// Reads one JSON text.
    ///
    /// - Throws: `JSONError` of code `syntax` with the byte offset.
    package static func parse(_ bytes: some Sequence<UInt8>) throws(JSONError) -> JSONValue {
        try parse(Array(bytes))
    }

    /// Reads one JSON text; not generic, because generic code is not specialized across modules.
    ///
    /// - Throws: `JSONError` of code `syntax` with the byte offset, also for a text beyond the limits.
    package static func parse(_ bytes: [UInt8], limits: JSONLimits = .own) throws(JSONError) -> JSONValue {
        let result: Result<JSONValue, JSONError> = bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(buffer, limits)
            do throws(JSONError) { return .success(try parser.parseDocument()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Reads one JSON text.
    ///
    /// - Throws: ``JSONError`` of code `syntax` with the byte offset.
    package static func parse(_ text: String) throws(JSONError) -> JSONValue { try parse(Array(text.utf8)) }
}

extension JSONObject {
    /// Reads one JSON text that must be an object.
    ///
    /// - Throws: ``JSONError`` of code `syntax` with the byte offset, `type` if the text is not an object.
    package static func parse(_ bytes: some Sequence<UInt8>) throws(JSONError) -> JSONObject {
        try parse(Array(bytes))
    }

    /// Reads one JSON text that must be an object.
    ///
    /// - Throws: ``JSONError`` of code `syntax` with the byte offset, also for a text beyond the limits; `type` if the text
    ///   is not an object.
    package static func parse(_ bytes: [UInt8], limits: JSONLimits = .own) throws(JSONError) -> JSONObject {
        guard let object = try JSONValue.parse(bytes, limits: limits).objectValue else {
            throw JSONError(.type, at: "The document", "must be an object")
        }
        return object
    }
}
