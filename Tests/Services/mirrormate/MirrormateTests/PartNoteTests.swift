import Glibc
import Processes
import ServiceTesting
import Testing

@testable import mirrormate

@Suite struct `What a pid file says` {
    private let folder = TemporaryFolder()
    private let identity = "17 4711 0f1e2d3c-boot"

    private func made(_ name: String) throws -> String {
        try Files.makeFolder("\(folder.path)/\(name)")
        return "\(folder.path)/\(name)"
    }

    @Test func `counts where it was written, also when that was moved`() throws {
        let run = try made("run")
        let text = "\(identity) abc \(try #require(Files.identity(ofFolder: run)))\n"
        let note = try #require(StackPart.Note(text, in: run))
        #expect(note.identity == ProcessIdentity(id: 17, startTicks: 4711, boot: "0f1e2d3c-boot"))
        #expect(note.fingerprint == "abc" && note.isPlaced)
        #expect(rename(run, "\(folder.path)/moved") == 0)
        #expect(StackPart.Note(text, in: "\(folder.path)/moved") != nil)
    }

    @Test func `counts for nothing in a copy, whose processes are the original's`() throws {
        let (run, copy) = (try made("run"), try made("copy"))
        let text = "\(identity) abc \(try #require(Files.identity(ofFolder: run)))\n"
        #expect(StackPart.Note(text, in: copy) == nil)
        #expect(StackPart.Note(text, in: "\(folder.path)/nowhere") == nil)
    }

    @Test func `of an older version counts anywhere, and anything else nowhere`() throws {
        let run = try made("run")
        #expect(StackPart.Note("\(identity) abc\n", in: run)?.isPlaced == false)
        for text in ["", "17", "17 x boot abc", "\(identity)", "\(identity) abc 1-2 more"] {
            #expect(StackPart.Note(text, in: run) == nil)
        }
    }
}
