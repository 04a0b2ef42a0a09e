/// What a server said, as it is kept beside what it refused: one short line without control characters.
enum AnswerText {
    /// The most characters that are kept.
    static let lengthLimit = 1_000

    /// - Parameter secrets: What does not get into a file, even when the server says it.
    static func text(_ body: [UInt8], hiding secrets: [String]) -> String {
        var text = line(String(decoding: body, as: UTF8.self))
        // Their blanks are those of a line too: else they would be themselves only after they were
        // looked for.
        for secret in secrets.map(line) where !secret.isEmpty {
            text = text.replacing(secret, with: "…")
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
