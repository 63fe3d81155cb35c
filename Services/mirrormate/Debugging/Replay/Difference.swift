package import JSON

/// The difference between two JSON values.
package enum Difference {
    /// The fields that differ, by path; a single one without a name if the values are not both objects.
    package static func fields(
        _ before: JSONValue, _ after: JSONValue, at path: String = ""
    ) -> [(name: String, before: JSONValue, after: JSONValue)] {
        if before == after { return [] }
        let left = before.objectValue
        let right = after.objectValue
        guard left != nil || right != nil, left != nil || before.isNull, right != nil || after.isNull else {
            return [(path, before, after)]
        }
        // An enum that changed from one case to another: naming the cases is enough.
        if let left, let right, left.members.count == 1, right.members.count == 1, left.keys != right.keys {
            return [(path, .string(left.keys[0]), .string(right.keys[0]))]
        }
        var names = left?.keys ?? []
        for name in right?.keys ?? [] where left?[name] == nil { names.append(name) }
        return names.flatMap { name in
            fields(left?[name] ?? .null, right?[name] ?? .null, at: path.isEmpty ? name : "\(path).\(name)")
        }
    }
}
