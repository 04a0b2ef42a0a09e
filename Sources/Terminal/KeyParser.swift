package import Platform

/// Makes keys of the bytes that a terminal sends.
///
/// What is more than one press of a key makes none: arrow keys and whatever else comes as an escape
/// sequence, and what is pasted. Several presses of one key at once, as of a key that is held down, are one.
package struct KeyParser {
    /// An escape sequence that has not gone on for so long was the escape key, in seconds.
    private static let sequenceSeconds = 0.5
    /// How a paste begins and ends, after the escape character (bracketed paste mode of xterm).
    private static let pasteStart = Array("200~".utf8)
    private static let pasteEnd = Array("\u{1b}[201~".utf8)
    /// A longer sequence is no key of any keyboard.
    private static let longestSequence = 64

    private enum State: Equatable {
        case text
        /// After an escape character.
        case escape
        /// After `ESC [`, with what has come since.
        case control([UInt8])
        /// Before the last byte of a sequence, as after `ESC O`.
        case last
        /// In a paste, with the newest bytes of it.
        case paste([UInt8])
    }

    private var state = State.text
    private var last: BootInstant?

    /// Takes the bytes of one read, and gives the key that a person has pressed; nil when that is none, or
    /// when different ones come at once, which only a text does.
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

    /// The key that a byte is; nil when it belongs to something longer or is no character of ASCII.
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

    /// A character of ASCII, the space, or the line end that Enter is.
    private static func isKey(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
