import Glibc

/// Text files of a folder.
enum TextFiles {
    /// The names and contents of the files with a suffix, sorted by name.
    static func inFolder(_ path: String, ending: String) throws -> [(name: String, text: String)] {
        guard let folder = opendir(path) else { throw Missing(path: path) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(ending) { names.append(name) }
        }
        return try names.sorted().map { ($0, try read("\(path)/\($0)")) }
    }

    private static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw Missing(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    struct Missing: Error { let path: String }
}
