/// A response to a request.
package struct HTTPServerResponse: Sendable {
    /// The content of a response.
    package enum Body: Sendable {
        /// All of it.
        case bytes([UInt8])
        /// What is sent to the output, until it is finished.
        case output(HTTPOutput)
    }

    /// The status code, from 200.
    package var status: Int
    /// The headers beside those of the connection and the length.
    package var headers: [(name: String, value: String)]
    /// The content.
    package var body: Body

    /// Makes a response.
    package init(_ status: Int, headers: [(name: String, value: String)] = [], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header.
    package subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// A line of text.
    package static func text(_ status: Int, _ text: String) -> HTTPServerResponse {
        HTTPServerResponse(
            status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array("\(text)\n".utf8)))
    }
}
