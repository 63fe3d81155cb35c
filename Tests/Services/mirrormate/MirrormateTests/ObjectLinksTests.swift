import Glibc
import ServiceTesting
import Testing

@testable import mirrormate

@Suite struct `The objects of a backup` {
    private let folder = TemporaryFolder()
    private var objects: String { "\(folder.path)/objects" }
    private var links: String { "\(folder.path)/links" }

    private init() throws {
        try Files.makeFolder("\(objects)/media/anna")
        try Files.write("a video", to: "\(objects)/media/anna/1")
        try Files.write("a report", to: "\(objects)/2")
        try Files.write("secret", to: "\(folder.path)/secret")
    }

    @Test func `are linked as they are, and those that came later too`() throws {
        try Files.write("half of one", to: "\(objects)/media/.writing-3")
        try ObjectLinks.make(of: objects, in: links)
        try Files.write("another", to: "\(objects)/media/4")
        unlink("\(objects)/2")
        try ObjectLinks.make(of: objects, in: links)
        #expect(try Files.readText("\(links)/media/anna/1") == "a video")
        #expect(try Files.readText("\(links)/2") == "a report")
        #expect(Set(Files.names(in: "\(links)/media")) == ["anna", "4"])
        var facts = stat()
        #expect(stat("\(links)/media", &facts) == 0 && facts.st_mode & 0o7777 == 0o700)
    }

    @Test(arguments: ["media/link", "link", "media/anna/folder"])
    func `are not what a link leads to`(name: String) throws {
        symlink(name.hasSuffix("folder") ? folder.path : "\(folder.path)/secret", "\(objects)/\(name)")
        #expect(throws: Failure.self) { try ObjectLinks.make(of: objects, in: links) }
        #expect(!Files.exists("\(links)/\(name)") && !Files.exists("\(links)/\(name)/secret"))
    }

    @Test func `are plain files, and a pipe keeps nobody waiting`() throws {
        mkfifo("\(objects)/media/pipe", 0o600)
        let failure = #expect(throws: Failure.self) { try ObjectLinks.make(of: objects, in: links) }
        #expect(failure?.code == "backup-object")
    }

    @Test(.enabled(if: geteuid() == 0)) func `are those of whom the folder belongs to`() throws {
        #expect(chown("\(objects)/media/anna", 60_611, 60_611) == 0)
        #expect(throws: Failure.self) { try ObjectLinks.make(of: objects, in: links) }
        #expect(chown("\(objects)/media/anna/1", 60_611, 60_611) == 0)
        try ObjectLinks.make(of: objects, in: links)
    }
}
