/// A scanner for the texts of a Swift file: string literals, joined at `+`.
struct TextScanner {
    /// A text and the code before it.
    struct Text: Equatable {
        /// The line on which the text starts, from 1.
        let line: Int
        /// The code between the end of the statement before and the text.
        let context: String
        /// The text, with interpolations as `{expression}`.
        var text: String
    }

    private let characters: [Character]
    private var position = 0
    private var line = 1
    private var context = ""
    private var texts: [Text] = []
    /// Whether only `+` and blanks follow the last text.
    private var isJoining = false

    init(_ source: String) {
        characters = Array(source)
    }

    /// The texts of a file, in order.
    static func texts(in source: String) -> [Text] {
        var scanner = TextScanner(source)
        scanner.scan()
        return scanner.texts
    }

    private func next(_ offset: Int = 0) -> Character? {
        position + offset < characters.count ? characters[position + offset] : nil
    }

    private func isNext(_ text: String) -> Bool {
        zip(text.indices, 0...).allSatisfy { index, offset in next(offset) == text[index] }
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count {
            if next() == "\n" { line += 1 }
            position += 1
        }
    }

    private mutating func scan() {
        while let character = next() {
            if isNext("//") {
                while let character = next(), character != "\n" { _ = character; advance() }
            } else if character == "\"" || (character == "#" && isRawStart) {
                take(readLiteral())
            } else {
                note(character)
                advance()
            }
        }
    }

    /// Whether hashes and then a quotation mark are next.
    private var isRawStart: Bool {
        var offset = 0
        while next(offset) == "#" { offset += 1 }
        return next(offset) == "\""
    }

    private mutating func note(_ character: Character) {
        switch character {
        case "+": isJoining = isJoining || context.isEmpty && !texts.isEmpty
        case "\n", " ": if !context.isEmpty { context.append(character) }
        case "{", "}", ";":
            context = ""
            isJoining = false
        default:
            context.append(character)
            isJoining = false
        }
        if context.count > 200 { context.removeFirst(100) }
    }

    private mutating func take(_ literal: Text) {
        if isJoining, let last = texts.indices.last {
            texts[last].text += literal.text
        } else {
            texts.append(literal)
        }
        context = ""
        isJoining = false
    }

    private mutating func readLiteral() -> Text {
        let start = line
        var hashes = 0
        while next() == "#" {
            hashes += 1
            advance()
        }
        let quote = isNext("\"\"\"") ? "\"\"\"" : "\""
        advance(quote.count)
        let end = quote + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        var text = ""
        while next() != nil, !isNext(end) {
            if isNext(escape + "(") {
                advance(escape.count + 1)
                text += "{" + readInterpolation() + "}"
            } else if isNext(escape) {
                advance(escape.count)
                text += readEscape()
            } else if let character = next() {
                text.append(character)
                advance()
            }
        }
        advance(end.count)
        return Text(line: start, context: context, text: text)
    }

    /// The value of an escape sequence; an escaped line break is dropped.
    private mutating func readEscape() -> String {
        let character = next() ?? " "
        advance()
        return switch character {
        case "n": "\n"
        case "t": "\t"
        case "\n": ""
        case "\"", "\\": String(character)
        default: "\\\(character)"
        }
    }

    /// The expression of an interpolation, with its literals unchanged.
    private mutating func readInterpolation() -> String {
        var depth = 1
        var expression = ""
        while let character = next() {
            if character == "\"" {
                let outer = context
                expression += "\"" + readLiteral().text + "\""
                context = outer
                continue
            }
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            advance()
            if depth == 0 { break }
            expression.append(character)
        }
        return expression
    }
}
