/// The response of an HTTP server.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code; redirects are not followed.
    public let status: Int
    /// The headers, in order of arrival.
    public let headers: [HTTPHeader]
    /// The body, truncated at ``HTTPLimits/maxResponseBytes``.
    public let body: [UInt8]

    /// The value of the first header with this name, which is not case-sensitive.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
