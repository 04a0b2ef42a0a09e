/// Finds a key that stands twice in one object of a JSON5 text.
///
/// The decoder keeps one of the two and says nothing, so that a sink could vanish unnoticed. The text
/// is known to be well-formed when this runs.
struct DuplicateKeyScanner {
    private enum Container {
        case object(seen: Set<String>, key: String?)
        case array
    }

    private let bytes: [UInt8]
    private var position = 0
    private var containers: [Container] = []

    /// The key path of the first key that stands twice, if any.
    static func firstDuplicate(in text: String) -> String? {
        var scanner = DuplicateKeyScanner(bytes: Array(text.utf8))
        return scanner.scan()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func scan() -> String? {
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "{"): containers.append(.object(seen: [], key: nil))
            case UInt8(ascii: "["): containers.append(.array)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
            case UInt8(ascii: ","): endKey()
            case UInt8(ascii: "/"): skipComment()
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if let duplicate = note(readString(quote: byte)) { return duplicate }
                continue
            default:
                if isWordByte(byte) {
                    if let duplicate = note(readWord()) { return duplicate }
                    continue
                }
            }
            position += 1
        }
        return nil
    }

    /// Takes a string or a word; it is a key when its object waits for one.
    private mutating func note(_ token: String) -> String? {
        guard case .object(var seen, nil) = containers.last else { return nil }
        let isNew = seen.insert(token).inserted
        containers[containers.count - 1] = .object(seen: seen, key: token)
        return isNew ? nil : path
    }

    private var path: String {
        containers.compactMap { container -> String? in
            guard case .object(_, let key) = container else { return nil }
            return key
        }.joined(separator: ".")
    }

    private mutating func endKey() {
        guard case .object(let seen, _) = containers.last else { return }
        containers[containers.count - 1] = .object(seen: seen, key: nil)
    }

    private mutating func readString(quote: UInt8) -> String {
        let start = position + 1
        position = start
        while position < bytes.count, bytes[position] != quote {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(position, bytes.count)
        position = end + 1
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func readWord() -> String {
        let start = position
        while position < bytes.count, isWordByte(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    /// Leaves the position on the comment's last byte.
    private mutating func skipComment() {
        guard position + 1 < bytes.count else { return }
        if bytes[position + 1] == UInt8(ascii: "/") {
            while position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: "\n") {
                position += 1
            }
        } else if bytes[position + 1] == UInt8(ascii: "*") {
            position += 3
            while position < bytes.count,
                !(bytes[position] == UInt8(ascii: "/") && bytes[position - 1] == UInt8(ascii: "*"))
            {
                position += 1
            }
        }
    }
}
