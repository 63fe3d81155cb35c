import APIDescription
import CompatibleSurface
import ContractChecking
import Contracts
import Glibc
import HTTPServer
import JSON
import Runtime
import ServiceKit
import ServiceTesting
import Testing

/// Compares a service's router with what is described.
private struct Routes: StoryVisitor {
    @Loop func visit<T: Story>(_: T.Type) async throws {
        let folder = TemporaryFolder()
        try await withService(T.S.self, T.variables(folder.path)) { group in
            let described = Operations.all.filter { $0.service == T.S.name }.map { "\($0.method) \($0.path)" }
            #expect(
                // The compatible surface is described by what its clients know, in docs/supabase.md.
                Set(
                    group.first.routes.filter { !CompatiblePrefix.isCompatible($0.pattern) }
                        .map { "\($0.method) \($0.pattern)" }) == Set(described),
                "Routes and Services/mirrormate/Contracts/APIDescription/Operations.swift disagree.")
        }
    }
}

@Suite("The description of the API") struct APITests {
    @Test("names every route of a service, and no other", arguments: selectedServices)
    @Loop func routes(service: ServiceName) async throws { try await Routes().run(service) }

    @Test("is in docs as the code generates it")
    func fresh() throws {
        let examples = OpenAPIExamples(
            try JSONObject.parse(FolderFiles.read("\(root)/\(OpenAPIExamples.path)")))
        let known = Set(Operations.all.map(\.id))
        #expect(examples.operations.filter { !known.contains($0) } == [], "Run `make examples`.")
        for (path, text) in OpenAPIDocument.files(examples) {
            if getenv("WRITE_DOCUMENTS") != nil {
                let file = try #require(fopen("\(root)/\(path)", "w"))
                fputs(text, file)
                fclose(file)
            }
            #expect(
                String(decoding: FolderFiles.read("\(root)/\(path)"), as: UTF8.self) == text,
                "\(path) is stale: run `make documents` and commit what it changes.")
        }
    }

    @Test("names every problem of the list")
    func problems() {
        let described = Operations.all.flatMap(\.allProblems) + ProblemCode.ofHTTP + ProblemCode.ofOperators
        for code in everyProblem {
            #expect(described.contains(code), "Nobody is answered \(code): take it out of the list.")
        }
    }

    @Test("has no two operations of one name")
    func names() {
        let names = Operations.all.map(\.id)
        #expect(Set(names).count == names.count)
    }
}
