import Glibc

extension Environment {
    private static let largestFile = 1_048_576

    /// The bytes of the file that a variable names, up to 1 MiB; nil when the variable is not set, and after a problem.
    package func file(_ name: String) -> [UInt8]? {
        guard let path = optional(name) else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            refuse(name, "names a file that cannot be opened; check its path and permissions.")
            return nil
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= Self.largestFile {
            let got = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress!, $0.count) }
            if got < 0 {
                refuse(name, "names a file that cannot be read; name a plain file.")
                return nil
            }
            if got == 0 { return bytes }
            bytes += chunk[..<got]
        }
        refuse(name, "names a file of more than 1 MiB; name the right one.")
        return nil
    }
}
