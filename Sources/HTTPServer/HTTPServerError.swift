/// A server that cannot run, in words with a remedy where there is one.
package struct HTTPServerError: Error, Equatable, CustomStringConvertible {
    /// The cause.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
