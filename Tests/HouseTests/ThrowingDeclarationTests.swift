import Testing
import TestingSupport
import TestingTools

@Suite("The comments") struct ThrowingDeclarationTests {
    @Test("every package declaration of Shared that throws says what") func thisCheckout() throws {
        let sources = try Checkout.swiftFiles(in: ["Shared"]).map { ($0, try Checkout.text(of: $0)) }
        #expect(
            sources.flatMap { ThrowingDeclaration.all(in: $0.1) }.count > 200, "the sources are not read as they are")
        for finding in ThrowingDeclaration.findings(in: sources) { Issue.record("\(finding)") }
    }

    // MARK: The reading itself, on made-up sources

    private func names(_ source: String) -> [String] {
        ThrowingDeclaration.findings(in: [("A.swift", source)]).map { finding in
            String(finding.split(separator: " ")[1])
        }
    }

    @Test("finds what lacks a word about its errors, in every form of a declaration") func findsSilent() {
        let source = """
            /// Moves.
            package func move(_ key: String, to other: [String: Int] = [:]) async throws {
            /// Reads.
            @discardableResult
            @Loop package static func read<T>(
                _ key: String, _ work: (String, Int) async throws -> T
            ) async throws -> T {
                package init?(_: Int) throws(Failure) { nil }
            }
            """
        #expect(names(source) == ["move(_:to:)", "read(_:_:)", "init(_:)"])
    }

    @Test("is content with what says it, cannot throw, or is not seen by other modules") func content() {
        let source = """
            /// Moves.
            ///
            /// - Throws: `Failure`.
            @discardableResult
            package func move() throws -> Int {
            /// Only its argument throws.
            package func make(_ work: () throws -> Int) -> (() throws -> Int) {
            /// Never.
            package static func decide() throws(Never) {
            func inside() throws {
            private func hidden() throws {
            """
        #expect(names(source).isEmpty)
    }

    @Test("lets an implementation without a comment rely on the requirement's, when that says it") func requirements() {
        let source = """
            package protocol Store {
                /// - Throws: `Failure`.
                func move(_ key: String) throws
                /// Deletes.
                func delete(_ key: String) throws
            }
            package struct Folder: Store {
                package func move(_ name: String) throws {}
                package func delete(_ name: String) throws {}
            }
            """
        #expect(names(source) == ["delete(_:)"])
    }
}
