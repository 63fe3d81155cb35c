/// A function or initializer that can throw, as a source file declares it.
struct ThrowingDeclaration {
    /// What its comment says about errors.
    enum Comment { case none, silent, says }

    /// Its name with the labels of its parameters, such as `move(_:to:)`.
    let name: String
    let line: Int
    let comment: Comment
    /// Whether a protocol requires it. Its comment holds for what conforms, too.
    let isRequirement: Bool

    /// The declarations of a source file that other modules see: those marked `package` or `public`, and the requirements
    /// of protocols. The source must be formatted.
    static func all(in source: String) -> [ThrowingDeclaration] {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var found: [ThrowingDeclaration] = []
        var comment = Comment.none
        var endOfProtocol: String?
        for (number, line) in lines.enumerated() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("///") {
                if comment != .says { comment = text.hasPrefix("/// - Throws:") ? .says : .silent }
                continue
            }
            // An attribute on a line of its own stands between a comment and its declaration.
            if text.hasPrefix("@"), !text.contains(" ") { continue }
            defer { comment = .none }
            if line == endOfProtocol { endOfProtocol = nil }
            let words = text.split(separator: " ").drop { $0.hasPrefix("@") }
            let isMarked = words.first == "package" || words.first == "public"
            if isMarked, words.dropFirst().first == "protocol", line.hasSuffix("{") {
                endOfProtocol = line.prefix { $0 == " " } + "}"
            }
            guard isMarked || endOfProtocol != nil, let start = start(of: words),
                let name = name(start, signature(Array(lines[number...])))
            else { continue }
            found.append(
                ThrowingDeclaration(
                    name: name, line: number + 1, comment: comment, isRequirement: !isMarked && endOfProtocol != nil))
        }
        return found
    }

    /// `func` with the name, or `init`: where the signature begins behind attributes and modifiers.
    private static func start(of words: ArraySlice<Substring>) -> String? {
        let modifiers: Set<Substring> = [
            "package", "public", "static", "mutating", "nonisolated", "consuming", "override", "final", "convenience",
        ]
        let rest = words.drop(while: modifiers.contains)
        guard let first = rest.first else { return nil }
        if first == "func" { return rest.dropFirst().first.map { String($0.prefix { $0 != "(" && $0 != "<" }) } }
        return first.hasPrefix("init") ? "init" : nil
    }

    /// The parameters, and what stands behind them up to the body.
    private static func signature(_ lines: [String]) -> (parameters: [String], effects: String) {
        var depth = 0
        var parameters: [String] = []
        var parameter = ""
        var effects: String?
        for (number, line) in lines.enumerated() {
            for character in line {
                if depth == 0, character == "{" { return (parameters, effects ?? "") }
                if "([".contains(character) { depth += 1 }
                if ")]".contains(character) { depth -= 1 }
                if effects != nil {
                    effects?.append(character)
                } else if depth == 0, character == ")" {
                    if parameter.contains(":") { parameters.append(parameter) }
                    effects = ""
                } else if depth == 1, character == "," {
                    parameters.append(parameter)
                    parameter = ""
                } else if depth > 1 || depth == 1 && character != "(" {
                    parameter.append(character)
                }
            }
            // A requirement has no body: it ends with its line, unless the next one goes on with it.
            let next = number + 1 < lines.count ? lines[number + 1].drop { $0 == " " } : ""
            if depth == 0, effects != nil,
                !["async", "throws", "->", ")", "where", "{"].contains(where: next.hasPrefix)
            {
                return (parameters, effects ?? "")
            }
            effects?.append(" ")
        }
        return (parameters, effects ?? "")
    }

    /// The full name; nil when it cannot throw.
    private static func name(_ start: String, _ signature: (parameters: [String], effects: String)) -> String? {
        let effects = signature.effects.prefix { $0 != "-" }
        guard effects.contains("throws"), !effects.contains("throws(Never)") else { return nil }
        let labels = signature.parameters.map { parameter in
            parameter.drop { $0 == " " }.prefix { $0 != " " && $0 != ":" } + ":"
        }
        return "\(start)(\(labels.joined()))"
    }
}

extension ThrowingDeclaration {
    /// What is wrong with the comments of some files: each declaration that throws says what, itself or, when it has no
    /// comment of its own, in that of a requirement of the same name.
    ///
    /// - Parameter sources: the text of each file by its path.
    static func findings(in sources: [(path: String, text: String)]) -> [String] {
        let files = sources.map { (path: $0.path, declarations: all(in: $0.text)) }
        let explained = Set(
            files.flatMap(\.declarations).filter { $0.isRequirement && $0.comment == .says }.map(\.name))
        return files.flatMap { path, declarations in
            declarations.filter { declaration in
                switch declaration.comment {
                case .says: false
                case .silent: !declaration.isRequirement
                case .none: !declaration.isRequirement && !explained.contains(declaration.name)
                }
            }.map {
                "\(path):\($0.line): \($0.name) can throw, and its comment does not say what: add `- Throws:` with the type "
                    + "of the error and when it is thrown."
            }
        }
    }
}
