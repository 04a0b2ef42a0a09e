/// Changes of lists in the lines of a file.
enum SourceList {
    /// The maximum number of columns of a line of Swift.
    private static let columnLimit = 100

    /// Adds a line to a table whose entries are strings or tuples that begin with one.
    ///
    /// The entries stand in the order of their names, without regard to case.
    static func addTableLine(
        _ line: String, name: String, header: String, to lines: inout [String]
    ) throws(ListEditProblem) {
        let start = try onlyIndex(in: lines, of: "`\(header)`") { $0 == header }
        guard let end = lines[start...].firstIndex(of: "]") else {
            throw ListEditProblem("the table `\(header)` has no end")
        }
        let names = lines[(start + 1)..<end].map(quotedName)
        guard !names.contains(name) else { throw ListEditProblem("it is there already") }
        let place = names.firstIndex { $0.map { $0.lowercased() > name.lowercased() } ?? false }
        lines.insert(line, at: place.map { start + 1 + $0 } ?? end)
    }

    /// Adds an import to those at the beginning of a file, in the order of swift-format.
    static func addImport(_ module: String, to lines: inout [String]) throws(ListEditProblem) {
        let imports = lines.indices.compactMap { index in
            importedModule(lines[index]).map { (index: index, module: $0) }
        }
        guard let last = imports.last else { throw ListEditProblem("there are no imports") }
        guard !imports.contains(where: { $0.module == module }) else {
            throw ListEditProblem("it is there already")
        }
        let next = imports.first { $0.module > module }
        lines.insert("import \(module)", at: next?.index ?? last.index + 1)
    }

    /// Adds an element to `label: […]`, and breaks the lines as swift-format does.
    static func addElement(
        _ element: String, label: String, to lines: inout [String]
    ) throws(ListEditProblem) {
        let start = try onlyIndex(in: lines, of: "`\(label): [`") {
            $0.drop { $0 == " " }.hasPrefix("\(label): [")
        }
        let indent = String(lines[start].prefix { $0 == " " })
        let (inner, rest, end) = try argument(label, from: start, in: lines)
        var elements = inner.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        guard !elements.contains(element) else { throw ListEditProblem("it is there already") }
        guard elements.allSatisfy({ $0.allSatisfy(isElementCharacter) }) else {
            throw ListEditProblem("the list `\(label)` has more than names of factories in it")
        }
        elements.append(element)
        let oneLine = "\(indent)\(label): [\(elements.joined(separator: ", "))]\(rest)"
        let isShort = oneLine.count <= columnLimit
        lines.replaceSubrange(
            start...end,
            with: isShort
                ? [oneLine]
                : ["\(indent)\(label): ["] + filled(elements, indent: indent + "    ")
                    + ["\(indent)]\(rest)"])
    }

    /// Adds a line behind the last line that begins with some text, or else behind another line.
    static func addStatement(
        _ line: String, behind start: String, orBehind other: String, to lines: inout [String]
    ) throws(ListEditProblem) {
        guard !lines.contains(line) else { throw ListEditProblem("it is there already") }
        let place = lines.lastIndex { $0.hasPrefix(start) } ?? lines.lastIndex(of: other)
        guard let place else { throw ListEditProblem("the line `\(other)` is missing") }
        lines.insert(line, at: place + 1)
    }

    /// Adds a row to the first table below a heading, below the rows with the same first cell.
    static func addRow(
        _ row: String, firstCell: String, heading: String, to lines: inout [String]
    ) throws(ListEditProblem) {
        let start = try onlyIndex(in: lines, of: "`\(heading)`") { $0 == heading }
        let next = lines[(start + 1)...].firstIndex { $0.hasPrefix("#") } ?? lines.endIndex
        guard let first = lines[start..<next].firstIndex(where: { $0.hasPrefix("|") }) else {
            throw ListEditProblem("there is no table below `\(heading)`")
        }
        let end = lines[first..<next].firstIndex { !$0.hasPrefix("|") } ?? next
        guard !lines[first..<end].contains(row) else {
            throw ListEditProblem("it is there already")
        }
        let same = lines[first..<end].lastIndex { $0.hasPrefix("| \(firstCell) |") }
        lines.insert(row, at: same.map { $0 + 1 } ?? end)
    }

    // MARK: Parts

    private static func onlyIndex(
        in lines: [String], of what: String, where matches: (String) -> Bool
    ) throws(ListEditProblem) -> Int {
        let found = lines.indices.filter { matches(lines[$0]) }
        guard found.count == 1, let index = found.first else {
            throw ListEditProblem("\(what) is there \(found.count) times instead of once")
        }
        return index
    }

    /// The text between the brackets of an argument, the text behind them, and the last line.
    private static func argument(
        _ label: String, from start: Int, in lines: [String]
    ) throws(ListEditProblem) -> (inner: String, rest: String, end: Int) {
        guard let end = lines[start...].firstIndex(where: { $0.contains("]") }) else {
            throw ListEditProblem("the list `\(label)` has no end")
        }
        let text = lines[start...end].joined(separator: " ")
        guard let open = text.firstIndex(of: "["), let close = text.firstIndex(of: "]") else {
            throw ListEditProblem("the list `\(label)` has no end")
        }
        let rest = String(text[text.index(after: close)...])
        guard [",", ")", "),", ""].contains(rest) else {
            throw ListEditProblem("`\(rest.trimmed)` follows the list `\(label)`")
        }
        return (String(text[text.index(after: open)..<close]), rest, end)
    }

    private static func isElementCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "." || character == "_"
    }

    /// Elements with commas, as many on a line as fit.
    private static func filled(_ elements: [String], indent: String) -> [String] {
        var lines: [String] = []
        for element in elements {
            let longer = lines.last.map { "\($0) \(element)," }
            if let longer, longer.count <= columnLimit {
                lines[lines.count - 1] = longer
            } else {
                lines.append("\(indent)\(element),")
            }
        }
        return lines
    }

    /// The first string in a line, if the line begins with it or with a parenthesis and it.
    private static func quotedName(_ line: String) -> String? {
        let text = line.drop { $0 == " " || $0 == "(" }
        guard text.first == "\"" else { return nil }
        return String(text.dropFirst().prefix { $0 != "\"" })
    }

    /// The module of `import NAME` or `public import NAME`.
    private static func importedModule(_ line: String) -> String? {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), words.count == place + 2,
            words[..<place].allSatisfy(importModifiers.contains), line.first != " "
        else { return nil }
        return String(words[place + 1])
    }

    private static let importModifiers: Set<Substring> = [
        "public", "package", "internal", "private", "@preconcurrency",
    ]
}

extension StringProtocol {
    /// The text without spaces around it.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { $0 != " " }),
            let last = lastIndex(where: { $0 != " " })
        else { return "" }
        return String(self[first...last])
    }
}
