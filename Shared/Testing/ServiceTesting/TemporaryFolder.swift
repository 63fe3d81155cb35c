import Glibc
import Primitives

/// A folder of one test, removed when it goes.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = "/tmp/mirrormate-test-\(UUID.v7())"
        mkdir(path, 0o700)
    }

    deinit { nftw(path, removeEntry, 16, FTW_DEPTH) }
}

private func removeEntry(
    _ path: UnsafePointer<CChar>?, _ status: UnsafePointer<stat>?, _ kind: Int32, _ place: UnsafeMutablePointer<FTW>?
) -> Int32 {
    path.map { remove($0) } ?? 0
}

/// From `ftw.h`: contents before their folder.
private let FTW_DEPTH: Int32 = 8
