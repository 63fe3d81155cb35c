import ContractChecking
import Contracts
import JSON
import Processes
import Runtime

/// `mirrormate contracts …`: what services promise each other, from the files of a source tree.
@Loop struct ContractsCommand {
    private let arguments: Arguments
    private let console: Console
    private let service: ServiceName?
    private let reference: String?
    private let root: String
    private let tree: ContractTree

    init(_ arguments: Arguments, _ console: Console) throws(Failure) {
        self.arguments = arguments
        self.console = console
        service = arguments[Flags.service]
        reference = arguments[Flags.against]
        root = try Self.findRoot(arguments[Flags.root])
        tree = ContractTree(FolderFiles.contracts(under: root))
    }

    private static func findRoot(_ folder: String) throws(Failure) -> String {
        guard Files.exists("\(folder)/Package.swift"), Files.exists("\(folder)/Services") else {
            throw Failure(
                .configuration, "no-sources", "\(folder) is not the folder of the sources.",
                advice: "Run the command in the repository's folder, or name it with --root.")
        }
        return folder
    }

    /// Lists what nobody relies on.
    func unused() -> ExitCode {
        let unused = ContractSuite(tree).unused()
        if arguments[Flags.json] {
            console.answer(["unused": .array(unused.map(JSONValue.string))])
        } else {
            console.print(unused.joined(separator: "\n"))
        }
        return .success
    }

    /// Writes the documents that are generated from the contracts.
    func documents() throws(Failure) -> ExitCode {
        let documents = GeneratedDocuments.all(tree)
        for (path, text) in documents {
            try Files.makeFolder(Files.folder(of: "\(root)/\(path)"))
            try Files.write(Array(text.utf8), to: "\(root)/\(path)")
        }
        if arguments[Flags.json] {
            console.answer(["written": .array(documents.map { .string($0.path) })])
        } else {
            console.done("written: docs/events.md, docs/asyncapi.json, docs/schemas")
        }
        return .success
    }

    /// Checks, and says what is wrong.
    func check() async throws -> ExitCode {
        let suite = ContractSuite(tree)
        var findings = suite.findings(for: service)
        if let reference {
            findings += suite.findings(against: ContractTree(try await files(of: reference)), for: service)
        }
        // The same thing may show from two sides.
        var seen: Set<ContractChecking.Finding> = []
        findings = findings.filter { seen.insert($0).inserted }
        if arguments[Flags.json] {
            console.answer([
                "contracts": .int(Int64(tree.contracts.count)), "messages": .int(Int64(tree.published.count)),
                "findings": .array(
                    findings.map {
                        [
                            "place": .string($0.place), "problem": .string($0.problem), "advice": .string($0.advice),
                        ]
                    }),
            ])
            return findings.isEmpty ? .success : .failure
        }
        for finding in findings { console.print("✗ \(finding)") }
        let what =
            (service.map { "\($0.rawValue)'s contracts" } ?? "all contracts")
            + (reference.map { " against \($0)" } ?? "")
        guard findings.isEmpty else {
            throw Failure(
                .failure, "contracts-broken", "\(findings.count) findings in \(what).",
                advice: reference == nil
                    ? "docs/contracts.md says what may change and how."
                    : "Do not deploy this beside \(reference ?? "").")
        }
        console.done("\(what): \(tree.contracts.count) contracts, \(tree.published.count) released messages hold")
        return .success
    }

    /// The contract files of another revision.
    private func files(of reference: String) async throws -> [String: [UInt8]] {
        let list = try await git(["ls-tree", "-r", "--name-only", "--full-tree", reference])
        var files: [String: [UInt8]] = [:]
        for path in String(decoding: list, as: UTF8.self).split(separator: "\n").map(String.init)
        where ContractTree.concerns(path) {
            files[path] = try await git(["show", "\(reference):\(path)"])
        }
        if files.isEmpty {
            throw Failure(
                .failure, "no-contracts", "\(reference) has no contract files.", advice: "Name a later revision.")
        }
        return files
    }

    private func git(_ words: [String]) async throws -> [UInt8] {
        var command = Command("/usr/bin/git", ["-C", root] + words, environment: ["PATH": "/usr/bin:/bin"])
        command.output = .pipe
        let child = try ChildProcess.start(command)
        let output = try await child.output?.collect(limit: 1 << 24) ?? []
        guard try await child.wait().isSuccess else {
            throw Failure(
                .usage, "no-revision", "git knows no revision \(reference ?? "").",
                advice: "Name a commit, a branch or a tag.")
        }
        return output
    }
}
