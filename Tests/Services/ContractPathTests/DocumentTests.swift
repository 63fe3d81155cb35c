import ContractChecking
import Testing

@Suite("Generated documents") struct DocumentTests {
    private static let documents = GeneratedDocuments.all(ContractTree(FolderFiles.contracts(under: root)))

    @Test("lie in docs as the code makes them")
    func fresh() {
        for (path, text) in Self.documents {
            #expect(
                String(decoding: FolderFiles.read("\(root)/\(path)"), as: UTF8.self) == text,
                "\(path) is stale: run `make documents` and commit what it changes.")
        }
    }

    @Test("are all that lies there")
    func noOthers() {
        let made = Set(Self.documents.map(\.path))
        // The forms of an export's own documents are no messages; the test of an export holds one against them.
        for path in FolderFiles.paths(in: "\(root)/docs/schemas") where !path.hasPrefix("export-") {
            #expect(made.contains("docs/schemas/\(path)"), "docs/schemas/\(path) is made by nothing: delete it.")
        }
    }
}
