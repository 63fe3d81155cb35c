import Foundation
import TestingSupport
import TestingTools

extension House {
    /// The house of this checkout.
    ///
    /// - Throws: `Unreadable` when the manifest or a source file cannot be read, or a source file belongs to no target.
    static func ofThisCheckout() throws -> House {
        let targets = try manifest()
        let lines = try Checkout.text(of: "Package.swift").split(separator: "\n", omittingEmptySubsequences: false)
        let declared = targets.flatMap { target in
            target.dependencies.map { dependency in
                Use(
                    user: target.name, used: dependency,
                    place: "Package.swift:\(line(of: target.name, naming: dependency, in: lines))", isImport: false)
            }
        }
        return House(targets: targets, uses: try imports(targets) + declared)
    }

    struct Unreadable: Error, CustomStringConvertible { let description: String }

    /// The modules that a source file imports, with their lines.
    static func imports(in source: String) -> [(module: String, line: Int)] {
        source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, text in
            var words = text.split(separator: " ").drop { $0.hasPrefix("@") }
            if ["public", "package", "internal", "fileprivate", "private"].contains(words.first ?? "") {
                words = words.dropFirst()
            }
            guard words.first == "import" else { return nil }
            words = words.dropFirst()
            if ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"].contains(words.first ?? "") {
                words = words.dropFirst()
            }
            guard let module = words.first?.split(separator: ".").first else { return nil }
            return (String(module), number + 1)
        }
    }

    /// The imports of all Swift sources. A file belongs to the target with the longest folder that it lies in.
    private static func imports(_ targets: [Target]) throws -> [Use] {
        try Checkout.swiftFiles(in: ["Shared", "Services", "Tests", "Benchmarks"]).flatMap { path in
            let holders = targets.filter { path.hasPrefix($0.path + "/") }
            guard let target = holders.max(by: { $0.path.utf8.count < $1.path.utf8.count }) else {
                throw Unreadable(description: "\(path): belongs to no target of Package.swift; add one or move it")
            }
            return imports(in: try Checkout.text(of: path)).map {
                Use(user: target.name, used: $0.module, place: "\(path):\($0.line)", isImport: true)
            }
        }
    }

    /// The line of the manifest where a target names a dependency: the first one with that word behind the target's name.
    private static func line(of target: String, naming dependency: String, in lines: [Substring]) -> Int {
        let start = lines.firstIndex { $0.contains("\"\(target)\"") } ?? 0
        return (lines[start...].firstIndex { $0.contains("\"\(dependency)\"") } ?? start) + 1
    }

    /// What the package manager reads from the manifest.
    private static func manifest() throws -> [Target] {
        struct Package: Decodable { let targets: [Entry] }
        struct Entry: Decodable {
            let name: String
            let path: String
            let dependencies: [[String: [String?]]]
        }
        let scratch = FileManager.default.temporaryDirectory.appending(path: "house-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // A scratch folder of its own: the build folder is locked by the `swift test` that runs this.
        let text = try output(
            ["/bin/sh", "-c", "exec \"$(infra/find-swift)\" package --scratch-path \"$0\" dump-package", scratch.path])
        return try JSONDecoder().decode(Package.self, from: text).targets.map { entry in
            Target(
                name: entry.name, path: entry.path,
                dependencies: entry.dependencies.compactMap { $0.values.first?.first ?? nil })
        }
    }

    private static func output(_ command: [String]) throws -> Data {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = URL(filePath: Checkout.root)
        // The whole manifest, also when the build of these tests was narrowed.
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "ONLY_TARGETS" }
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Unreadable(description: "Package.swift cannot be read: swift package dump-package failed")
        }
        return data
    }
}
