/// A word of a command that a reader pastes into a shell.
package enum ShellWord {
    /// The characters that no shell gives a meaning, besides letters and digits.
    private static let safe = Set("/._-:@%+=,".utf8)

    /// The text as one word of sh(1): as it is when its characters are safe, otherwise in quotes.
    package static func quoted(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(isSafe) else { return text }
        // Within single quotes every character but the quote stands for itself.
        let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.map { String($0) }.joined(separator: "'\\''"))'"
    }

    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: safe.contains(byte)
        }
    }
}
