package import CompatibleSurface
package import HTTPServer

/// How a request wants its answer: what its headers say.
package struct RestRequest: Sendable {
    /// What becomes of a row that is there already.
    package enum Resolution: String, Sendable { case merge = "merge-duplicates", ignore = "ignore-duplicates" }

    package let method: String
    /// Whether the one row is wanted as an object.
    package let isSingle: Bool
    /// Whether the number of all rows is wanted.
    package let isCounted: Bool
    /// Whether the rows that were written are wanted.
    package let isRepresented: Bool
    package let resolution: Resolution?
    /// The places of `Range`, from and to, both inclusive; the last may be open.
    let range: (first: Int64, last: Int64?)?
    /// The preferences that are held to.
    private let applied: [String]

    /// - Throws: as ``init(_:_:)``.
    package init(_ request: Request) throws(CompatibleError) { try self.init(request.method, request.headers) }

    /// Reads the headers of a request.
    ///
    /// - Throws: PGRST106 for another schema, PGRST107 for a form that is not made here, PGRST103 for a range that ends before it begins.
    package init(_ method: String, _ sent: Headers) throws(CompatibleError) {
        self.method = method
        for name in ["Accept-Profile", "Content-Profile"] {
            guard sent[name] ?? "public" == "public" else {
                throw CompatibleError(
                    406, "PGRST106", "Invalid schema: \(sent[name]?.prefix(100) ?? "")",
                    hint: "Only the following schemas are exposed: public")
            }
        }
        isSingle = try Self.isSingle(sent.all("Accept"))

        var preferences: [String: String] = [:]
        for header in sent.all("Prefer") {
            for part in header.split(separator: ",") {
                let sides = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
                guard sides.count == 2, preferences[sides[0]] == nil else { continue }
                preferences[sides[0]] = sides[1]
            }
        }
        var applied: [String] = []
        func known(_ name: String, _ values: String...) -> String? {
            guard let value = preferences[name], values.contains(value) else { return nil }
            applied.append("\(name)=\(value)")
            return value
        }
        resolution = known("resolution", "merge-duplicates", "ignore-duplicates").flatMap(Resolution.init(rawValue:))
        isRepresented = known("return", "representation", "minimal", "headers-only") == "representation"
        isCounted = known("count", "exact", "planned", "estimated") != nil
        self.applied = applied
        range = method == "GET" ? try sent["Range"].flatMap(Self.range) : nil
    }

    /// The header that says which preferences were held to.
    var headers: Headers { applied.isEmpty ? [:] : ["Preference-Applied": applied.joined(separator: ", ")] }

    private static func isSingle(_ accepted: [String]) throws(CompatibleError) -> Bool {
        var forms = accepted.flatMap { $0.split(separator: ",") }.map { part in part.lowercased().filter { $0 != " " } }
        if forms.isEmpty { forms = ["*/*"] }
        for form in forms {
            let parts = form.split(separator: ";")
            let isStripped = parts.contains("nulls=stripped")
            switch parts.first {
            case "*/*", "application/*", "application/json": return false
            case "application/vnd.pgrst.array+json", "application/vnd.pgrst.array": if !isStripped { return false }
            case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object": if !isStripped { return true }
            default: continue
            }
        }
        throw CompatibleError(
            406, "PGRST107", "None of these media types are available: \(forms.joined(separator: ", ").prefix(200))")
    }

    /// Nil for a header that is about something else.
    private static func range(_ header: String) throws(CompatibleError) -> (first: Int64, last: Int64?)? {
        let text = header.hasPrefix("items=") ? header.dropFirst(6) : header[...]
        let sides = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, let first = Int64(sides[0]), first >= 0 else { return nil }
        if sides[1].isEmpty { return (first, nil) }
        guard let last = Int64(sides[1]) else { return nil }
        guard last >= first else {
            throw CompatibleError(
                416, "PGRST103", "Requested range not satisfiable",
                details: "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
        }
        return (first, last)
    }
}
