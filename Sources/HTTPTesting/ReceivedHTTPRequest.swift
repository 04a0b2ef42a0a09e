/// A request received by a ``ScriptedHTTPServer``.
public struct ReceivedHTTPRequest: Hashable, Sendable {
    /// The method, such as `POST`.
    public let method: String
    /// The request target: path and query, or the full URL at a proxy.
    public let target: String
    /// The headers, in order.
    public let headers: [Header]
    /// The decoded body; empty when the server only counts.
    public internal(set) var body: [UInt8] = []
    /// The length of the body.
    public internal(set) var bodyCount = 0
    /// The number of the connection, counted from 0.
    public internal(set) var connection = 0

    /// A header field.
    public struct Header: Hashable, Sendable {
        /// The name as sent.
        public let name: String
        /// The value without surrounding white space.
        public let value: String
    }

    /// The value of the first header with this name, case-insensitive.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// Parses the head of a request; nil when it is invalid.
    init?(head: ArraySlice<UInt8>) {
        let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        method = String(words[0])
        target = String(words[1])
        headers = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            let value = line.dropFirst(name.count + 1).drop { $0 == " " }
            return Header(name: String(name), value: String(value))
        }
    }
}
