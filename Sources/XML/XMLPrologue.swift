/// The part of an XML file before its root element, for files whose DOCTYPE cannot be read.
///
/// Apple Health writes declarations that are not well-formed, and control characters that XML does
/// not allow. Both are replaced by spaces, which leaves all lines at their numbers. As the
/// declarations are not read, a reference to an entity of theirs is an error.
struct XMLPrologue {
    static let doctypeMark = "<!DOCTYPE"

    /// The index of the root's `<`; nil when the bytes end before it.
    private(set) var root: Int?
    /// The index of the DOCTYPE's `<`, and that after its `>`, which is nil when the bytes end before it;
    /// nil without a DOCTYPE.
    private(set) var doctype: (start: Int, end: Int?)?

    /// Finds what is before the root in the first bytes of a file.
    init(_ bytes: [UInt8]) {
        var position = 0
        while let tag = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = bytes[tag...]
            let end: Int?
            if rest.starts(with: "<?".utf8) {
                end = Self.index(after: "?>", in: rest)
            } else if rest.starts(with: "<!--".utf8) {
                end = Self.index(after: "-->", in: rest.dropFirst(4))
            } else if rest.starts(with: Self.doctypeMark.utf8), doctype == nil {
                end = Self.doctypeEnd(rest)
                doctype = (tag, end)
            } else {
                root = tag
                return
            }
            guard let end else { return }
            position = end
        }
    }

    /// Replaces the DOCTYPE of the first bytes of a file by spaces.
    ///
    /// - Parameter isComplete: Whether these are all bytes of the file; then a DOCTYPE without an
    ///   end is replaced too.
    static func blankDoctype(_ bytes: inout [UInt8], isComplete: Bool) {
        guard let doctype = XMLPrologue(bytes).doctype,
            let end = doctype.end ?? (isComplete ? bytes.count : nil)
        else { return }
        for index in doctype.start..<end where !isLineEnd(bytes[index]) { bytes[index] = space }
    }

    /// Replaces the control characters that XML 1.0 does not allow (section 2.2) by spaces.
    static func blankControls(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBufferPointer { bytes in
            for index in bytes.indices where bytes[index] < space {
                if bytes[index] != 0x09, !isLineEnd(bytes[index]) { bytes[index] = space }
            }
        }
    }

    private static let space = UInt8(ascii: " ")

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// The index after the `>` of a DOCTYPE; declarations in brackets may contain `>`.
    private static func doctypeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        var position = bytes.startIndex
        var isInBrackets = false
        while position < bytes.endIndex {
            let rest = bytes[position...]
            if rest.starts(with: "<!--".utf8) {
                guard let end = index(after: "-->", in: rest.dropFirst(4)) else { return nil }
                position = end
                continue
            }
            switch bytes[position] {
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: ">") where !isInBrackets: return position + 1
            default: break
            }
            position += 1
        }
        return nil
    }

    private static func index(after end: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let end = Array(end.utf8)
        var position = bytes.startIndex
        while position + end.count <= bytes.endIndex {
            if bytes[position...].starts(with: end) { return position + end.count }
            position += 1
        }
        return nil
    }
}
