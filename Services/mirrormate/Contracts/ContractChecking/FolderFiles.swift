import Glibc

/// The contract files of a source folder.
package enum FolderFiles {
    /// Reads them.
    ///
    /// - Parameter root: the repository's root.
    /// - Returns: contents, by path relative to the root; empty if there are none.
    package static func contracts(under root: String) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for folder in ["Services", "Shared/Platform/ServiceKit", "Tests/Services/ContractPathTests"] {
            for path in paths(in: "\(root)/\(folder)").map({ "\(folder)/\($0)" }) where ContractTree.concerns(path) {
                files[path] = read("\(root)/\(path)")
            }
        }
        return files
    }

    /// The paths of all files under a folder, relative to it, sorted.
    package static func paths(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var all: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) {
                all += paths(in: "\(folder)/\(name)").map { "\(name)/\($0)" }
            } else {
                all.append(name)
            }
        }
        return all.sorted()
    }

    /// A file's content; empty if it cannot be read.
    package static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count <= 0 { return content }
            content += buffer[..<count]
        }
    }
}
