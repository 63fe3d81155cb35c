import Configuration
import Testing

@Suite("A file that a variable names") struct FileTests {
    @Test("is read whole; without the variable there is none")
    func read() throws {
        let environment = Environment(["THIS": #filePath])
        #expect(environment.file("THIS")?.starts(with: "import Configuration".utf8) == true)
        #expect(environment.file("OTHER") == nil)
        try environment.finish()
    }

    @Test(
        "is a problem when it cannot be read",
        arguments: [
            ("/nowhere/plans.json", "cannot be opened"), ("/", "cannot be read"), ("/dev/zero", "more than 1 MiB"),
        ])
    func problem(path: String, reason: String) {
        let environment = Environment(["THIS": path])
        #expect(environment.file("THIS") == nil)
        let error = #expect(throws: ConfigurationError.self) { try environment.finish() }
        #expect(error?.problems.first?.contains(reason) == true)
    }
}
