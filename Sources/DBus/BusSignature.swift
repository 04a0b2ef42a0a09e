/// Validation of type signatures.
///
/// D-Bus Specification 0.43, "Summary of types" and "Valid Signatures".
///
/// sd-bus accepts some invalid signatures, for which the daemon closes the connection.
enum BusSignature {
    private static let lengthLimit = 255
    private static let depthLimit = 32

    /// Whether it is a sequence of complete types.
    static func isValid(_ signature: String) -> Bool {
        let letters = Array(signature.utf8)
        guard letters.count <= lengthLimit else { return false }
        var position = 0
        while position < letters.count {
            guard let end = endOfType(in: letters, at: position) else { return false }
            position = end
        }
        return true
    }

    /// Whether it is exactly one complete type or dictionary entry.
    static func isElement(_ signature: String) -> Bool {
        let letters = Array("a\(signature)".utf8)
        guard letters.count <= lengthLimit else { return false }
        return endOfType(letters, 0, arrays: 0, structures: 0) == letters.count
    }

    /// The end of the complete type that starts here; nil when it is invalid.
    static func endOfType(in signature: [UInt8], at start: Int) -> Int? {
        endOfType(signature, start, arrays: 0, structures: 0)
    }

    /// The end of the type that starts here; nil when it is invalid.
    private static func endOfType(
        _ letters: [UInt8], _ position: Int, arrays: Int, structures: Int
    ) -> Int? {
        guard position < letters.count, arrays <= depthLimit, structures <= depthLimit else {
            return nil
        }
        switch letters[position] {
        case UInt8(ascii: "a"):
            guard position + 1 < letters.count, arrays < depthLimit else { return nil }
            return letters[position + 1] == UInt8(ascii: "{")
                ? endOfEntry(letters, position + 1, arrays: arrays + 1, structures: structures)
                : endOfType(letters, position + 1, arrays: arrays + 1, structures: structures)
        case UInt8(ascii: "("):
            return endOfStructure(letters, position, arrays: arrays, structures: structures + 1)
        case UInt8(ascii: "v"): return position + 1
        default: return isBasic(letters[position]) ? position + 1 : nil
        }
    }

    private static func endOfStructure(
        _ letters: [UInt8], _ position: Int, arrays: Int, structures: Int
    ) -> Int? {
        var next = position + 1
        while next < letters.count, letters[next] != UInt8(ascii: ")") {
            guard
                let end = endOfType(letters, next, arrays: arrays, structures: structures)
            else { return nil }
            next = end
        }
        return next < letters.count && next > position + 1 ? next + 1 : nil
    }

    private static func endOfEntry(
        _ letters: [UInt8], _ position: Int, arrays: Int, structures: Int
    ) -> Int? {
        guard position + 1 < letters.count, isBasic(letters[position + 1]),
            let end = endOfType(letters, position + 2, arrays: arrays, structures: structures + 1),
            end < letters.count, letters[end] == UInt8(ascii: "}")
        else { return nil }
        return end + 1
    }

    private static func isBasic(_ letter: UInt8) -> Bool {
        "ybnqiuxtdsogh".utf8.contains(letter)
    }
}
