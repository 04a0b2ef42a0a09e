/// What a server answered.
package struct HTTPResponse: Hashable, Sendable {
    /// The status code; a redirect is an answer like any other, and not followed.
    package let status: Int
    package let headers: [HTTPHeader]
    /// As much of it as ``HTTPLimits/answerBytes`` allow.
    package let body: [UInt8]

    /// The value of the first header of this name, in whatever case.
    package subscript(name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
