import Platform

/// The text of a response as stored in the reject file: one short line without control characters.
enum ResponseText {
    /// The maximum number of characters.
    static let lengthLimit = 1_000

    /// - Parameter secrets: Texts that are replaced, even when the server repeats them.
    static func text(_ body: [UInt8], hiding secrets: [String]) -> String {
        var text = line(String(decoding: body, as: UTF8.self))
        // The white space of a secret is normalized like that of the line; otherwise it would not match.
        for secret in secrets.map(line) where !secret.isEmpty {
            text = text.replacing(text: secret, with: "…")
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(lengthLimit)))
    }

    private static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        line.append(contentsOf: text.unicodeScalars.map(visible))
        return String(line).split(separator: " ").joined(separator: " ")
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: " "
        default: scalar
        }
    }
}
