/// The links, the code and the headings of a Markdown page.
struct MarkdownPage {
    /// A line of a code block.
    struct CodeLine {
        let text: Substring
        /// Whether the block is fenced; an indented one may be the text of a list.
        let isFenced: Bool
    }

    /// The targets of links and images, without their titles.
    private(set) var links: [Substring] = []
    /// The inline code between backticks.
    private(set) var spans: [Substring] = []
    private(set) var codeLines: [CodeLine] = []
    /// The anchors of the headings.
    private(set) var anchors: Set<String> = []

    init(_ text: String) {
        var fence: Substring?
        var paragraph: [Substring] = []
        var isBehindBlank = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " }
            if let open = fence {
                if content.hasPrefix(open) { fence = nil } else { addCode(line, isFenced: true) }
            } else if let open = Self.fence(content) {
                read(&paragraph)
                fence = open
            } else if content.isEmpty {
                read(&paragraph)
                isBehindBlank = true
                continue
            } else if isBehindBlank, line.hasPrefix("    ") {
                addCode(line, isFenced: false)
                continue
            } else {
                addHeading(line)
                paragraph.append(line)
            }
            isBehindBlank = false
        }
        read(&paragraph)
    }

    private static func fence(_ line: Substring) -> Substring? {
        ["```", "~~~"].first { line.hasPrefix($0) }
    }

    private mutating func addCode(_ line: Substring, isFenced: Bool) {
        codeLines.append(CodeLine(text: line, isFenced: isFenced))
    }

    /// Adds the anchor of a heading on GitHub.
    private mutating func addHeading(_ line: Substring) {
        guard line.hasPrefix("#") else { return }
        let title = line.drop { $0 == "#" }.drop { $0 == " " }
        let characters = title.lowercased().compactMap { character -> Character? in
            if character == " " { return "-" }
            let isValid = character.isLetter || character.isNumber || "-_".contains(character)
            return isValid ? character : nil
        }
        anchors.insert(String(characters))
    }

    /// Reads the code and then the links of a paragraph: code cannot contain links.
    private mutating func read(_ paragraph: inout [Substring]) {
        let pieces = paragraph.joined(separator: "\n").split(
            separator: "`", omittingEmptySubsequences: false)
        paragraph = []
        // Every second piece is code; an unpaired backtick starts none.
        let code = pieces.indices.filter { $0 % 2 == 1 && $0 < pieces.count - 1 }
        spans += code.map { pieces[$0] }.filter { !$0.isEmpty }
        let prose = pieces.indices.filter { !code.contains($0) }.map { pieces[$0] }
            .joined(separator: "code")
        for part in prose.components(separatedBy: "](").dropFirst() {
            guard let end = part.firstIndex(of: ")") else { continue }
            let target = part[..<end].split(separator: " ").first ?? ""
            links.append(target)
        }
    }
}

extension StringProtocol {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = Substring(self)
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
