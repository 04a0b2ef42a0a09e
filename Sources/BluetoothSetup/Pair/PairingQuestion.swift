import Bluetooth

/// A question about a pairing that the user answers at the terminal.
enum PairingQuestion: Hashable, Sendable {
    /// The PIN of a classic device.
    case pinCode
    /// The passkey that the device shows.
    case passkey
    /// Whether the device shows the same passkey.
    case comparison(UInt32)

    /// The longest PIN (Bluetooth Core 5.4, Vol 2 Part H 3.2.1), in bytes, and the largest passkey.
    private static let limits = (pin: 16, passkey: UInt32(999_999))

    /// The text of the question.
    var prompt: String {
        switch self {
        case .pinCode: "PIN of the device, often 0000 or 1234: "
        case .passkey: "passkey that the device shows (6 digits): "
        case .comparison(let passkey):
            "does the device show \(Self.digits(of: passkey))? [y/n] "
        }
    }

    /// Reads a line of the user; nil when it is no answer.
    func answer(to line: String) -> AgentAnswer? {
        let text = String(line.drop(while: \.isWhitespace).reversed())
            .drop(while: \.isWhitespace).reversed()
        let words = String(text)
        switch self {
        case .pinCode:
            return (1...Self.limits.pin).contains(words.utf8.count) ? .pinCode(words) : nil
        case .passkey:
            guard (1...6).contains(words.utf8.count), words.utf8.allSatisfy(Self.isDigit),
                let passkey = UInt32(words), passkey <= Self.limits.passkey
            else { return nil }
            return .passkey(passkey)
        case .comparison:
            switch words.lowercased() {
            case "y", "yes": return .accept
            case "n", "no": return .reject
            default: return nil
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A passkey with all its six digits.
    static func digits(of passkey: UInt32) -> String {
        let digits = String(passkey)
        return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
    }
}
