/// A request as it came to a ``ScriptedHTTPServer``.
public struct ReceivedHTTPRequest: Hashable, Sendable {
    /// The word in front, like `POST`.
    public let method: String
    /// What stands after the method: path and query, or all of a URL at a proxy.
    public let target: String
    /// Names and values, in their order.
    public let headers: [Header]
    /// The body, unchunked; empty when the server only counts.
    public internal(set) var body: [UInt8] = []
    /// How long the body was.
    public internal(set) var bodyCount = 0
    /// Which connection it came on, counted from 0.
    public internal(set) var connection = 0

    /// One line of the headers.
    public struct Header: Hashable, Sendable {
        /// As it was sent.
        public let name: String
        /// Without the blanks around it.
        public let value: String
    }

    /// The value of the first header of this name, in whatever case.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// Reads the lines up to the empty one; nil when they are no request.
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
