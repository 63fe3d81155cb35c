import Glibc
import Primitives

/// A folder of one test, removed with this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = "/tmp/mirrormate-test-\(UUID.v7())"
        mkdir(path, 0o700)
    }

    /// Writes a file, and gives its path.
    package func write(_ text: String, to name: String) -> String {
        let file = "\(path)/\(name)"
        if let stream = fopen(file, "w") {
            fputs(text, stream)
            fclose(stream)
        }
        return file
    }

    deinit { removeTree(path) }
}

private func removeTree(_ path: String) {
    if let directory = opendir(path) {
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { removeTree("\(path)/\(name)") }
        }
        closedir(directory)
    }
    remove(path)
}
