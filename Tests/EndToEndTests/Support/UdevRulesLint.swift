/// Finds what udev would not: rules that are read without a word and never hold.
///
/// It knows the keys of udev(7). `udevadm verify` does more, where systemd is 254 or later.
struct UdevRulesLint {
    /// Keys that are compared.
    private static let matches: Set<String> = [
        "ACTION", "DEVPATH", "KERNEL", "KERNELS", "NAME", "SYMLINK", "SUBSYSTEM", "SUBSYSTEMS",
        "DRIVER", "DRIVERS", "ATTR", "ATTRS", "SYSCTL", "ENV", "CONST", "TAG", "TAGS", "TEST",
        "PROGRAM", "RESULT",
    ]
    /// Keys that are given a value.
    private static let assignments: Set<String> = [
        "NAME", "SYMLINK", "OWNER", "GROUP", "MODE", "SECLABEL", "ATTR", "SYSCTL", "ENV", "TAG",
        "RUN", "LABEL", "GOTO", "IMPORT", "OPTIONS",
    ]
    /// Keys that look at parents, which must all be one and the same.
    private static let parents: Set<String> = ["KERNELS", "SUBSYSTEMS", "DRIVERS", "ATTRS", "TAGS"]

    private struct Term {
        let key: String
        let attribute: String?
        let operation: String
        let value: String
    }

    private(set) var findings: [String] = []
    private var labels: [String: Int] = [:]
    private var jumps: [(label: String, line: Int)] = []

    /// Looks at a file's name and text.
    init(name: String, text: String) {
        if name.wholeMatch(of: /(6[1-9]|7[0-2])-[a-z0-9-]+\.rules/) == nil {
            findings.append("\(name): uaccess needs a number from 61 to 72")
        }
        if let scalar = text.unicodeScalars.first(where: { "“”„‘’‚«»".unicodeScalars.contains($0) })
        {
            findings.append("a quotation mark that udev does not know: \(scalar)")
        }
        for (number, line) in Self.rules(in: text) { check(line, number) }
        for jump in jumps where labels[jump.label] ?? 0 <= jump.line {
            findings.append("line \(jump.line): no LABEL \(jump.label) follows")
        }
    }

    /// The rules with the numbers of their lines: comments are out, continued lines are one.
    private static func rules(in text: String) -> [(number: Int, line: String)] {
        var rules: [(number: Int, line: String)] = []
        var open: (number: Int, line: String)?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let trimmed = line.drop { $0 == " " || $0 == "\t" }
            if open == nil, trimmed.isEmpty || trimmed.first == "#" { continue }
            let start = open ?? (index + 1, "")
            let isContinued = trimmed.last == "\\"
            let whole = start.line + (isContinued ? trimmed.dropLast() : trimmed)
            open = isContinued ? (start.number, whole) : nil
            if !isContinued { rules.append((start.number, whole)) }
        }
        return rules
    }

    private mutating func check(_ line: String, _ number: Int) {
        let pattern = /([A-Z]+)(?:\{([^}]+)\})?(==|!=|\+=|-=|:=|=)"([^"]*)"(?:\s*,\s*|\s*$)/
        var rest = line[...]
        var terms: [Term] = []
        while let match = rest.prefixMatch(of: pattern) {
            terms.append(
                Term(
                    key: String(match.1), attribute: match.2.map(String.init),
                    operation: String(match.3), value: String(match.4)))
            rest = rest[match.range.upperBound...]
        }
        guard rest.isEmpty, !terms.isEmpty else {
            findings.append("line \(number): not a rule from here on: \(rest)")
            return
        }
        for term in terms { check(term, number) }
        checkParents(terms, number)
    }

    private mutating func check(_ term: Term, _ number: Int) {
        let isMatch = term.operation == "==" || term.operation == "!="
        if !(isMatch ? Self.matches : Self.assignments).contains(term.key) {
            findings.append("line \(number): \(term.key)\(term.operation) means nothing")
        }
        if isMatch,
            ["ID_VENDOR_ID", "ID_MODEL_ID", "idVendor", "idProduct"].contains(term.attribute),
            term.value.wholeMatch(of: /[0-9a-f]{4}(\|[0-9a-f]{4})*/) == nil
        {
            findings.append("line \(number): four lower-case digits each: \(term.value)")
        }
        if term.key == "LABEL" { labels[term.value] = number }
        if term.key == "GOTO" { jumps.append((term.value, number)) }
    }

    /// The attributes of a USB device and of its interface are never those of one parent.
    private mutating func checkParents(_ terms: [Term], _ number: Int) {
        let attributes = terms.filter { Self.parents.contains($0.key) }.compactMap(\.attribute)
        let ofInterface = attributes.filter { $0.hasPrefix("bInterface") }
        if !ofInterface.isEmpty, ofInterface.count < attributes.count {
            findings.append("line \(number): ATTRS of two parents")
        }
    }
}
