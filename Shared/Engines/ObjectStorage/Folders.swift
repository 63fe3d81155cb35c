import Glibc

/// Creates the parent folders of a path.
func makeFolders(_ path: String) throws(ObjectStoreError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
        folder += "/\(part)"
        if mkdir(folder, 0o750) != 0, errno != EEXIST { throw .failed(errno) }
    }
}

/// Flushes the folder of a path. Without this, a power failure may undo a rename although the file's bytes are on disk.
func flushFolder(of path: String) throws(ObjectStoreError) {
    let folder = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .failed(errno) }
}

/// What a folder holds, in no order; empty when it is missing.
func entries(of folder: String) throws(ObjectStoreError) -> [(name: String, isFolder: Bool)] {
    guard let directory = opendir(folder) else {
        if errno == ENOENT { return [] }
        throw .failed(errno)
    }
    defer { closedir(directory) }
    var found: [(name: String, isFolder: Bool)] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { found.append((name, entry.pointee.d_type == UInt8(DT_DIR))) }
    }
    return found
}

/// Writes all bytes to a file.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(ObjectStoreError) {
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
        if count < 0 {
            if errno == EINTR { continue }
            throw .failed(errno)
        }
        written += count
    }
}
