package import Primitives

/// The members of a JSON object in insertion order; keys are unique.
///
/// Lookup is a linear search: events have about a dozen members, for which that is faster than hashing.
package struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// The members in order.
    package private(set) var members: [(key: String, value: JSONValue)]

    /// Makes an object from members; a later member replaces an earlier one with the same key.
    package init(_ members: [(String, JSONValue)] = []) {
        self.members = []
        self.members.reserveCapacity(members.count)
        for (key, value) in members { self[key] = value }
    }

    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }

    /// Makes an object from many members whose keys are all different, without comparing them.
    package init(unique members: [(String, JSONValue)]) { self.init(uniqueMembers: members.map { ($0.0, $0.1) }) }

    /// The same without copying them.
    package init(uniqueMembers: [(key: String, value: JSONValue)]) { members = uniqueMembers }

    /// The value of a member; setting `nil` removes it.
    package subscript(_ key: String) -> JSONValue? {
        get {
            // By place: as elements they would be retained and released, key and value, one after the other.
            for place in members.indices where members[place].key == key { return members[place].value }
            return nil
        }
        set {
            let place = members.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// Whether there are no members.
    package var isEmpty: Bool { members.isEmpty }

    /// The keys in order.
    package var keys: [String] { members.map(\.key) }

    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.count == right.members.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }
}

/// Typed reading: each call returns the member's value, or throws an error that names the member and what is wrong.
extension JSONObject {
    /// The member; throws if it is missing or null.
    ///
    /// - Throws: ``JSONError`` of code `missing`.
    package func required(_ key: String) throws(JSONError) -> JSONValue {
        guard let value = self[key], !value.isNull else { throw JSONError(.missing, at: key, "is missing") }
        return value
    }

    /// A string.
    ///
    /// - Throws: ``JSONError`` of code `missing` if the member is missing or null, `type` if it is not a string.
    package func string(_ key: String) throws(JSONError) -> String {
        guard let value = try required(key).stringValue else { throw JSONError(.type, at: key, "must be a string") }
        return value
    }

    /// A string; nil if the member is missing or null.
    ///
    /// - Throws: ``JSONError`` of code `type` if it is not a string.
    package func optionalString(_ key: String) throws(JSONError) -> String? {
        try present(key) { (value) throws(JSONError) in
            guard let text = value.stringValue else { throw JSONError(.type, at: key, "must be a string") }
            return text
        }
    }

    /// An integer.
    ///
    /// - Throws: ``JSONError`` of code `missing` if the member is missing or null, `type` if it is not an integer of 64
    ///   bits.
    package func int(_ key: String) throws(JSONError) -> Int64 {
        guard let value = try required(key).intValue else { throw JSONError(.type, at: key, "must be an integer") }
        return value
    }

    /// An integer; nil if the member is missing or null.
    ///
    /// - Throws: ``JSONError`` of code `type` if it is not an integer of 64 bits.
    package func optionalInt(_ key: String) throws(JSONError) -> Int64? {
        try present(key) { (value) throws(JSONError) in
            guard let number = value.intValue else { throw JSONError(.type, at: key, "must be an integer") }
            return number
        }
    }

    /// A number.
    ///
    /// - Throws: ``JSONError`` of code `missing` if the member is missing or null, `type` if it is not a number.
    package func double(_ key: String) throws(JSONError) -> Double {
        guard let value = try required(key).doubleValue else { throw JSONError(.type, at: key, "must be a number") }
        return value
    }

    /// A number; nil if the member is missing or null.
    ///
    /// - Throws: ``JSONError`` of code `type` if it is not a number.
    package func optionalDouble(_ key: String) throws(JSONError) -> Double? {
        try present(key) { (value) throws(JSONError) in
            guard let number = value.doubleValue else { throw JSONError(.type, at: key, "must be a number") }
            return number
        }
    }

    /// A Boolean.
    ///
    /// - Throws: ``JSONError`` of code `missing` if the member is missing or null, `type` if it is not a Boolean.
    package func bool(_ key: String) throws(JSONError) -> Bool {
        guard let value = try required(key).boolValue else { throw JSONError(.type, at: key, "must be true or false") }
        return value
    }

    /// An object.
    ///
    /// - Throws: ``JSONError`` of code `missing` if the member is missing or null, `type` if it is not an object.
    package func object(_ key: String) throws(JSONError) -> JSONObject {
        guard let value = try required(key).objectValue else { throw JSONError(.type, at: key, "must be an object") }
        return value
    }

    /// An object; nil if the member is missing or null.
    ///
    /// - Throws: ``JSONError`` of code `type` if it is not an object.
    package func optionalObject(_ key: String) throws(JSONError) -> JSONObject? {
        try present(key) { (value) throws(JSONError) in
            guard let object = value.objectValue else { throw JSONError(.type, at: key, "must be an object") }
            return object
        }
    }

    /// An array.
    ///
    /// - Throws: ``JSONError`` of code `missing` if the member is missing or null, `type` if it is not an array.
    package func array(_ key: String) throws(JSONError) -> [JSONValue] {
        guard let value = try required(key).arrayValue else { throw JSONError(.type, at: key, "must be an array") }
        return value
    }

    /// An identifier (RFC 9562 text form).
    ///
    /// - Throws: ``JSONError`` of code `missing` if the member is missing or null, `type` if it is not a UUID.
    package func uuid(_ key: String) throws(JSONError) -> UUID {
        guard let id = UUID(try string(key)) else { throw JSONError(.type, at: key, "must be a UUID") }
        return id
    }

    /// An identifier; nil if the member is missing or null.
    ///
    /// - Throws: ``JSONError`` of code `type` if it is not a UUID.
    package func optionalUUID(_ key: String) throws(JSONError) -> UUID? {
        try present(key) { (value) throws(JSONError) in
            guard let text = value.stringValue, let id = UUID(text) else {
                throw JSONError(.type, at: key, "must be a UUID")
            }
            return id
        }
    }

    /// A UTC time (RFC 3339).
    ///
    /// - Throws: ``JSONError`` of code `missing` if the member is missing or null, `type` if it is not an RFC 3339
    ///   time.
    package func timestamp(_ key: String) throws(JSONError) -> Timestamp {
        guard let time = Timestamp(rfc3339: try string(key)) else {
            throw JSONError(.type, at: key, "must be an RFC 3339 time with an offset, such as 2026-11-23T07:00:00Z")
        }
        return time
    }

    /// A UTC time; nil if the member is missing or null.
    ///
    /// - Throws: ``JSONError`` of code `type` if it is not an RFC 3339 time.
    package func optionalTimestamp(_ key: String) throws(JSONError) -> Timestamp? {
        try present(key) { (value) throws(JSONError) in
            guard let text = value.stringValue, let time = Timestamp(rfc3339: text) else {
                throw JSONError(.type, at: key, "must be an RFC 3339 time with an offset, such as 2026-11-23T07:00:00Z")
            }
            return time
        }
    }

    private func present<T>(
        _ key: String, _ read: (JSONValue) throws(JSONError) -> T
    ) throws(JSONError) -> T? {
        guard let value = self[key], !value.isNull else { return nil }
        return try read(value)
    }
}

extension JSONValue {
    /// An identifier as a string.
    package static func uuid(_ id: UUID) -> JSONValue { .string(id.description) }

    /// An identifier as a string, or `null`.
    package static func optional(_ id: UUID?) -> JSONValue { id.map(JSONValue.uuid) ?? .null }

    /// A time as an RFC 3339 string in UTC with microseconds.
    package static func time(_ time: Timestamp) -> JSONValue { .string(time.rfc3339) }

    /// A time as an RFC 3339 string, or `null`.
    package static func optional(_ time: Timestamp?) -> JSONValue { time.map(JSONValue.time) ?? .null }
}

/// Composition, as messages and events are built: the common members first, then their own.
extension JSONObject {
    /// This object followed by further members; members without a value are left out.
    package func adding(_ members: KeyValuePairs<String, JSONValue?>) -> JSONObject {
        var object = self
        for case (let key, let value?) in members { object[key] = value }
        return object
    }

    /// This object followed by the members of another one.
    package func adding(membersOf other: JSONObject) -> JSONObject {
        var object = self
        object.members.reserveCapacity(members.count + other.members.count)
        for member in other.members { object[member.key] = member.value }
        return object
    }
}
