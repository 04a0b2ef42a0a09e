/// The decoded target of a request (RFC 3986, sections 3.3, 3.4 and 2.1).
package struct RequestTarget: Equatable, Sendable {
    /// The segments of the path, decoded: `["v1", "workouts"]`; empty for `/`.
    package let path: [String]
    /// The names and values of the query in their order, decoded; `+` is a space.
    package let query: [Parameter]

    /// A name and its value in the query.
    package struct Parameter: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    /// The maximum number of parameters.
    private static let parameterLimit = 64

    /// Decodes a target in origin form, `/path?query`.
    ///
    /// Nil for another form, for invalid escapes, control characters and bytes that are not UTF-8, for `.`
    /// and `..`, and for too many parameters.
    package init?(_ target: String) {
        // By bytes: a delimiter and a combining mark after it are one character.
        let slash = UInt8(ascii: "/")
        guard target.utf8.first == slash else { return nil }
        let parts = target.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        let segments = parts[0].dropFirst().split(
            separator: slash, omittingEmptySubsequences: false)
        for segment in segments {
            guard let text = Self.decoded(segment, plusIsSpace: false),
                ![".", ".."].contains(text),
                !text.utf8.contains(slash)
            else { return nil }
            path.append(text)
        }
        self.path = path == [""] ? [] : path
        var query: [Parameter] = []
        for part in parts.dropFirst().flatMap({ $0.split(separator: UInt8(ascii: "&")) }) {
            let pair = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0], plusIsSpace: true),
                let value = pair.count > 1 ? Self.decoded(pair[1], plusIsSpace: true) : "",
                query.count < Self.parameterLimit
            else { return nil }
            query.append(Parameter(name: name, value: value))
        }
        self.query = query
    }

    private static func decoded(_ text: Substring.UTF8View, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit),
                    let low = rest.popFirst().flatMap(digit)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
