/// Putting objects together, as messages and events are: what all have in common first, then what is their own.
extension JSONObject {
    /// This object with further members behind its own; one without a value is left out.
    package func adding(_ members: KeyValuePairs<String, JSONValue?>) -> JSONObject {
        var object = self
        for case (let key, let value?) in members { object[key] = value }
        return object
    }

    /// This object with the members of another one behind its own.
    package func adding(membersOf other: JSONObject) -> JSONObject {
        var object = self
        for member in other.members { object[member.key] = member.value }
        return object
    }
}
