package import Platform

/// A parser of key presses from the bytes that a terminal sends.
///
/// Escape sequences, such as arrow keys, and pasted text are ignored. Several presses of the same key in
/// one read, as of a key that is held down, count as one.
package struct KeyParser {
    /// Time without a further byte after which an escape sequence was the escape key, in seconds.
    private static let sequenceSeconds = 0.5
    /// Start and end of pasted text (bracketed paste mode of xterm); the start without its `ESC [`.
    private static let pasteStart = Array("200~".utf8)
    private static let pasteEnd = Array("\u{1b}[201~".utf8)
    /// Maximum length of an escape sequence.
    private static let longestSequence = 64

    private enum State: Equatable {
        case text
        /// After an escape character.
        case escape
        /// After `ESC [`, with the bytes received since.
        case control([UInt8])
        /// Before the last byte of a sequence, such as after `ESC O`.
        case last
        /// In pasted text, with its newest bytes.
        case paste([UInt8])
    }

    private var state = State.text
    private var last: BootInstant?

    /// Returns the key pressed in the bytes of one read.
    ///
    /// Returns nil if there is none, or if there are different keys, which means text.
    package mutating func key(of bytes: some Sequence<UInt8>, at time: BootInstant) -> Character? {
        if let last, state != .text, time.seconds(since: last) > Self.sequenceSeconds {
            state = .text
        }
        last = time
        var pressed: Set<Character> = []
        for byte in bytes {
            if let key = key(of: byte) { pressed.insert(key) }
        }
        return pressed.count == 1 ? pressed.first : nil
    }

    /// The key of a byte; nil if the byte belongs to a sequence or is not ASCII.
    private mutating func key(of byte: UInt8) -> Character? {
        switch state {
        case .text:
            if byte == 0x1B {
                state = .escape
                return nil
            }
            return Self.isKey(byte) ? Character(Unicode.Scalar(byte)) : nil
        case .escape:
            state =
                byte == UInt8(ascii: "[") ? .control([]) : byte == UInt8(ascii: "O") ? .last : .text
            // Escape pressed twice, or before a sequence.
            if byte == 0x1B { state = .escape }
        case .last: state = .text
        case .control(let bytes): state = Self.state(after: bytes, byte)
        case .paste(let bytes):
            let newest = Array((bytes + [byte]).suffix(Self.pasteEnd.count))
            state = newest == Self.pasteEnd ? .text : .paste(newest)
        }
        return nil
    }

    /// ECMA-48, §5.4: a control sequence ends with a byte from `@` to `~`.
    private static func state(after bytes: [UInt8], _ byte: UInt8) -> State {
        if byte == 0x1B { return .escape }
        let sequence = bytes + [byte]
        if sequence == pasteStart { return .paste([]) }
        // The function keys of the Linux console: `ESC [ [ A`.
        if sequence == [UInt8(ascii: "[")] { return .last }
        let isOver = (0x40...0x7E).contains(byte) || sequence.count > longestSequence
        return isOver ? .text : .control(sequence)
    }

    /// Whether a byte is a printable ASCII character, a space or Enter.
    private static func isKey(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
