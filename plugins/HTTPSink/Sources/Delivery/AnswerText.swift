/// What a server said, as it is kept beside what it refused: one short line without control characters.
enum AnswerText {
    /// The most characters that are kept.
    static let lengthLimit = 1_000

    /// - Parameter secrets: What does not get into a file, even when the server says it.
    static func text(_ body: [UInt8], hiding secrets: [String]) -> String {
        var text = String(decoding: body, as: UTF8.self)
        for secret in secrets { text = text.replacing(secret, with: "…") }
        let scalars = text.unicodeScalars.prefix(lengthLimit).map(visible)
        var line = String.UnicodeScalarView()
        line.append(contentsOf: scalars)
        return String(line).split(separator: " ").joined(separator: " ")
    }

    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: " "
        default: scalar
        }
    }
}
