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

    @Test func `is read somewhere below it when the way there is theirs, too`() throws {
        let me = geteuid()
        try Files.makeFolder("\(folder.path)/stack/secrets")
        try Files.write("text", to: "\(folder.path)/stack/secrets/key")
        let stack = "\(folder.path)/stack"
        #expect(try Files.readText("secrets/key", below: stack, of: me) == "text")
        #expect(try Files.readText("secrets/other", below: stack, of: me) == nil)
        #expect(try Files.readText("other/key", below: stack, of: me) == nil)
        #expect(try Files.readText("key", below: "\(folder.path)/nowhere", of: me) == nil)
        #expect(throws: Failure.self) { try Files.readText("secrets/key", below: stack, of: me + 1) }
        #expect(throws: Failure.self) { try Files.readText("secrets/key", below: stack, of: me, limit: 3) }
        #expect(throws: Failure.self) { try Files.readText("secrets", below: stack, of: me) }
    }

    @Test func `is not read by a link anywhere on the way`() throws {
        let me = geteuid()
        let stack = "\(folder.path)/stack"
        try Files.makeFolder("\(folder.path)/roots/secrets")
        try Files.write("secret", to: "\(folder.path)/roots/secrets/key")
        try Files.makeFolder("\(stack)/run")
        symlink("\(folder.path)/roots/secrets", "\(stack)/secrets")
        symlink("\(folder.path)/roots/secrets/key", "\(stack)/run/key")
        symlink("\(folder.path)/roots", "\(folder.path)/link")
        mkfifo("\(stack)/run/pipe", 0o600)
        for (name, place) in [
            ("secrets/key", stack), ("run/key", stack), ("run/pipe", stack), ("secrets/key", "\(folder.path)/link"),
        ] {
            let failure = #expect(throws: Failure.self) { try Files.readText(name, below: place, of: me) }
            #expect(failure?.code == "foreign-file")
        }
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
