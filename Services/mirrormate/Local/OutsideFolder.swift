import Glibc
import Primitives

/// Where root keeps what the parts' users could not reach in a state folder: in a folder of `/var/lib/mirrormate/` with the
/// stack's own name.
///
/// The name lies in the state folder (`stack-name`), so that a state folder that was moved finds its data; beside the folder lies whose
/// it is, so that a copy of a state folder never works on the data of the first one.
enum OutsideFolder {
    static let root = "/var/lib/mirrormate"

    /// The folder of a stack, with a name that it keeps.
    ///
    /// - Throws: a failure when the state folder is a copy of another one, which is still there.
    static func path(_ state: StateFolder) throws(Failure) -> String {
        let name = try name(state)
        let path = "\(root)/\(name)"
        let mark = "\(path).state"
        let holder = try Files.readText(mark)
        if holder == state.path || state.isLookedAt { return path }
        if let holder, try isHeld(name, by: holder) {
            throw Failure(
                .configuration, "state-copied",
                "\(state.path) is a copy of \(holder), whose data in \(path) it would change.",
                advice: "Use that one, or a new folder (--state DIR) with `mirrormate backup` and `restore`.")
        }
        try Files.makeFolder(root)
        try Files.write(state.path, to: mark, mode: 0o600)
        return path
    }

    /// Where the state folder was before, if it was moved since the stack was last started.
    static func formerPlace(_ state: StateFolder) throws(Failure) -> String? {
        guard let name = try Files.readText("\(state.path)/\(nameFile)"), isName(name) else { return nil }
        let holder = try Files.readText("\(root)/\(name).state")
        return holder == state.path ? nil : holder
    }

    /// Whether a part of a state folder lies here.
    static func holds(_ name: String, of state: StateFolder) -> Bool {
        Files.absolute("\(state.path)/\(name)")?.hasPrefix("\(root)/") ?? false
    }

    /// What belongs to a stack there, for deleting it; nothing for a copy of a state folder.
    static func leftovers(_ state: StateFolder) throws(Failure) -> [String] {
        guard let name = try Files.readText("\(state.path)/\(nameFile)") ?? linked(state), isName(name) else {
            return []
        }
        let path = "\(root)/\(name)"
        let holder = try Files.readText("\(path).state")
        if let holder, holder != state.path, try isHeld(name, by: holder) { return [] }
        return [path, "\(path)-parts", "\(path).state"]
    }

    private static func isHeld(_ name: String, by folder: String) throws(Failure) -> Bool {
        try Files.readText("\(folder)/\(nameFile)") == name
    }

    private static let nameFile = "stack-name"

    private static func name(_ state: StateFolder) throws(Failure) -> String {
        let file = "\(state.path)/\(nameFile)"
        if let name = try Files.readText(file), isName(name) { return name }
        // Older versions kept it in the links alone.
        let name = linked(state) ?? random()
        if !state.isLookedAt { try Files.write(name, to: file) }
        return name
    }

    private static func random() -> String {
        var source = SystemRandomNumberGenerator()
        return Hex.encode((0..<8).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }

    private static func linked(_ state: StateFolder) -> String? {
        for link in ["postgres", "objects"] {
            guard let target = Files.absolute("\(state.path)/\(link)"), target.hasPrefix("\(root)/") else { continue }
            let name = target.dropFirst(root.utf8.count + 1).prefix { $0 != "/" && $0 != "-" }
            if isName(String(name)) { return String(name) }
        }
        return nil
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
