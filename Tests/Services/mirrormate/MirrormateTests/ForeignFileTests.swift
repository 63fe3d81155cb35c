import CClock
import Glibc
import ServiceTesting
import Testing

@testable import mirrormate

@Suite struct `A file in a folder of somebody else's` {
    private let folder = TemporaryFolder()
    private var path: String { "\(folder.path)/file" }

    @Test func `is read when it is a plain file of theirs`() throws {
        try Files.write("text", to: path)
        #expect(Files.readText(path, of: geteuid()) == "text")
        #expect(Files.readText(path, of: geteuid() + 1) == nil)
        #expect(Files.readText(path, of: geteuid(), limit: 3) == nil)
        #expect(Files.readText("\(path)-not-there", of: geteuid()) == nil)
    }

    @Test func `is not read through a link, and a pipe keeps nobody waiting`() throws {
        try Files.write("text", to: path)
        symlink(path, "\(folder.path)/link")
        mkfifo("\(folder.path)/pipe", 0o600)
        for name in ["link", "pipe", ""] { #expect(Files.readText("\(folder.path)/\(name)", of: geteuid()) == nil) }
    }

    @Test func `has a folder that is given to a user only as itself`() throws {
        let (target, link) = ("\(folder.path)/target", "\(folder.path)/link")
        try Files.makeFolder(target, mode: 0o700)
        symlink(target, link)
        #expect(!Files.giveFolder(link, to: geteuid(), group: getegid(), mode: 0o755))
        var facts = stat()
        #expect(stat(target, &facts) == 0 && facts.st_mode & 0o7777 == 0o700)
        #expect(Files.giveFolder(target, to: geteuid(), group: getegid(), mode: 0o755))
        #expect(stat(target, &facts) == 0 && facts.st_mode & 0o7777 == 0o755)
    }

    @Test func `has a place before it is there`() {
        #expect(Files.place(of: "\(folder.path)/./b/c/") == "\(Files.absolute(folder.path) ?? "")/b/c")
    }
}
