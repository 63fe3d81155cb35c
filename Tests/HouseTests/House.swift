/// The targets of the package, and who uses whom according to the sources and the manifest.
struct House {
    /// A target of the package.
    struct Target {
        let name: String
        /// Its folder, from the root.
        let path: String
        /// What the manifest says that it uses.
        let dependencies: [String]
    }

    /// One use of a target by another.
    struct Use {
        let user: String
        let used: String
        /// File and line, as `path:line`.
        let place: String
        /// Whether it is an import of a source file, not a line of the manifest.
        let isImport: Bool
    }

    private let targets: [String: Target]
    private let uses: [Use]

    init(targets: [Target], uses: [Use]) {
        self.targets = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
        self.uses = uses.filter { use in use.user != use.used && targets.contains { $0.name == use.used } }
    }

    /// Targets in folders that belong to no part of the house.
    var homeless: [String] {
        targets.values.filter { Home(path: $0.path) == nil }.map {
            "Package.swift: the target \($0.name) lies in \($0.path), which is no place of the house: put it on a floor of "
                + "Shared (\(Home.Floor.allCases.map(\.rawValue).joined(separator: ", ")), Testing), under Services, Tests "
                + "or Benchmarks"
        }.sorted()
    }

    /// The description of the API names what rooms answer with, and does nothing else with them.
    private static let describer = "APIDescription"

    /// Uses of a higher floor, of another service, of another service's room, of Testing by a product.
    var trespasses: [String] {
        uses.compactMap { use in
            guard let user = home(use.user), let used = home(use.used), !isDescription(use.user, of: used),
                let objection = user.objection(toUsing: used)
            else { return nil }
            return "\(use.place): \(use.user) uses \(use.used): \(objection)."
        }
    }

    private func isDescription(_ user: String, of used: Home) -> Bool {
        if case .room = used { user == Self.describer } else { false }
    }

    /// Imports of targets that the manifest does not name, so that they build by chance and in a wrong order.
    var undeclared: [String] {
        uses.filter { $0.isImport && targets[$0.user]?.dependencies.contains($0.used) == false }.map {
            "\($0.place): \($0.user) imports \($0.used), which Package.swift does not name among its dependencies: add it."
        }
    }

    /// Circles of imports, each with the import that closes it.
    var circles: [String] {
        let imports = uses.filter(\.isImport)
        var next: [String: [Use]] = [:]
        for use in imports where !(next[use.user] ?? []).contains(where: { $0.used == use.used }) {
            next[use.user, default: []].append(use)
        }
        var found: [String] = []
        var done: Set<String> = []
        var path: [String] = []
        func visit(_ name: String) {
            if done.contains(name) { return }
            path.append(name)
            for use in next[name] ?? [] {
                if let start = path.firstIndex(of: use.used) {
                    let circle = (path[start...] + [use.used]).joined(separator: " → ")
                    found.append(
                        "\(use.place): closes the circle \(circle): move what both need to a target below them.")
                } else {
                    visit(use.used)
                }
            }
            path.removeLast()
            done.insert(name)
        }
        for name in next.keys.sorted() { visit(name) }
        return found
    }

    private func home(_ name: String) -> Home? { targets[name].flatMap { Home(path: $0.path) } }
}
