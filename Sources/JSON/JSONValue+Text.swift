extension JSONValue {
    /// The value as JSON on one line, the keys of an object in alphabetical order.
    ///
    /// A number that is not finite, which JSON cannot represent, becomes `null`.
    public var json: String {
        var buffer: [UInt8] = []
        appendJSON(to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Whether all numbers are finite, so that JSON can represent the value.
    package var isJSON: Bool {
        switch self {
        case .number(let number): number.isFinite
        case .array(let array): array.allSatisfy(\.isJSON)
        case .object(let object): object.values.allSatisfy(\.isJSON)
        case .null, .boolean, .string: true
        }
    }

    private func appendJSON(to buffer: inout [UInt8]) {
        switch self {
        case .boolean(let boolean): buffer += (boolean ? "true" : "false").utf8
        case .number(let number) where number.isFinite: Number.append(number, to: &buffer)
        case .null, .number: buffer += "null".utf8
        case .string(let string): buffer.appendJSONString(string)
        case .array(let array):
            buffer.append(UInt8(ascii: "["))
            for (index, element) in array.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                element.appendJSON(to: &buffer)
            }
            buffer.append(UInt8(ascii: "]"))
        case .object(let object): Self.append(object, to: &buffer)
        }
    }

    private static func append(_ object: [String: JSONValue], to buffer: inout [UInt8]) {
        var separator = UInt8(ascii: "{")
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            buffer.append(separator)
            buffer.appendJSONString(key)
            buffer.append(UInt8(ascii: ":"))
            value.appendJSON(to: &buffer)
            separator = UInt8(ascii: ",")
        }
        if object.isEmpty { buffer.append(separator) }
        buffer.append(UInt8(ascii: "}"))
    }
}
