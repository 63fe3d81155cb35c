extension Request {
    /// Whether the client has the representation with this tag (RFC 9110, section 13.1.2); the comparison is weak.
    package func has(_ tag: String) -> Bool {
        headers.all("if-none-match").lazy.flatMap { $0.split(separator: ",") }.contains { element in
            let text = element.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            let candidate = String(text)
            return candidate == "*" || candidate == tag || candidate == "W/\(tag)"
        }
    }
}
