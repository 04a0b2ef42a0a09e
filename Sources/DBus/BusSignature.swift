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
        var place = 0
        while place < letters.count {
            guard let end = endOfType(letters, place, arrays: 0, structures: 0) else {
                return false
            }
            place = end
        }
        return true
    }

    /// Whether it is exactly one complete type or dictionary entry.
    static func isElement(_ signature: String) -> Bool {
        let letters = Array("a\(signature)".utf8)
        guard letters.count <= lengthLimit else { return false }
        return endOfType(letters, 0, arrays: 0, structures: 0) == letters.count
    }

    /// The end of the type that starts here; nil when it is invalid.
    private static func endOfType(
        _ letters: [UInt8], _ place: Int, arrays: Int, structures: Int
    ) -> Int? {
        guard place < letters.count, arrays <= depthLimit, structures <= depthLimit else {
            return nil
        }
        switch letters[place] {
        case UInt8(ascii: "a"):
            guard place + 1 < letters.count, arrays < depthLimit else { return nil }
            return letters[place + 1] == UInt8(ascii: "{")
                ? endOfEntry(letters, place + 1, arrays: arrays + 1, structures: structures)
                : endOfType(letters, place + 1, arrays: arrays + 1, structures: structures)
        case UInt8(ascii: "("):
            return endOfStructure(letters, place, arrays: arrays, structures: structures + 1)
        case UInt8(ascii: "v"): return place + 1
        default: return isBasic(letters[place]) ? place + 1 : nil
        }
    }

    private static func endOfStructure(
        _ letters: [UInt8], _ place: Int, arrays: Int, structures: Int
    ) -> Int? {
        var next = place + 1
        while next < letters.count, letters[next] != UInt8(ascii: ")") {
            guard
                let end = endOfType(letters, next, arrays: arrays, structures: structures)
            else { return nil }
            next = end
        }
        return next < letters.count && next > place + 1 ? next + 1 : nil
    }

    private static func endOfEntry(
        _ letters: [UInt8], _ place: Int, arrays: Int, structures: Int
    ) -> Int? {
        guard place + 1 < letters.count, isBasic(letters[place + 1]),
            let end = endOfType(letters, place + 2, arrays: arrays, structures: structures + 1),
            end < letters.count, letters[end] == UInt8(ascii: "}")
        else { return nil }
        return end + 1
    }

    private static func isBasic(_ letter: UInt8) -> Bool {
        "ybnqiuxtdsogh".utf8.contains(letter)
    }
}
