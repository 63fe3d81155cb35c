/// The checkout that the tests were built from.
package enum Checkout {
    /// The absolute path of its root, without a slash at the end.
    package static let root = "/" + String(#filePath).split(separator: "/").dropLast(4).joined(separator: "/")
}
