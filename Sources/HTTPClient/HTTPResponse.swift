/// The response of an HTTP server.
package struct HTTPResponse: Hashable, Sendable {
    /// The status code; redirects are not followed.
    package let status: Int
    package let headers: [HTTPHeader]
    /// The body, truncated at ``HTTPLimits/maxResponseBytes``.
    package let body: [UInt8]

    /// The value of the first header with this name, which is not case-sensitive.
    package subscript(name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
