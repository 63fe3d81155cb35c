import FoundationEssentials
package import TestingSupport

extension Checkout {
    /// The Swift sources below some folders, for tests that read them.
    ///
    /// - Parameter folders: paths from the root.
    /// - Returns: paths from the root, in order.
    /// - Throws: when a folder cannot be read.
    package static func swiftFiles(in folders: [String]) throws -> [String] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
                .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }.sorted()
        }
    }

    /// The content of a text file.
    ///
    /// - Parameter path: from the root.
    /// - Throws: when it cannot be read or is not UTF-8.
    package static func text(of path: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }
}
