import GatewayHost
import JSON

/// What the user typed after the command's name.
struct ParsedArguments: Sendable {
    private(set) var operands: [String] = []
    private var values: [String: String] = [:]

    /// Reads the words by a command's syntax.
    ///
    /// Options stand anywhere, as `--name value` or `--name=value`; a negative number is an operand, and
    /// after `--` everything is.
    init(_ words: [String], syntax: CommandSyntax) throws(HostError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            } else if word.hasPrefix("-"), word.count > 1, Double(word) == nil {
                try takeOption(word, &rest, syntax)
            } else {
                operands.append(word)
            }
        }
        guard !has("--help") else { return }
        let limit = syntax.operands.count + syntax.optionalOperands.count
        if let surplus = operands.dropFirst(limit).first {
            throw Self.failure("`\(surplus)` is one word too many", syntax)
        }
        if operands.count < syntax.operands.count {
            throw Self.failure("\(syntax.operands[operands.count].name) is missing", syntax)
        }
    }

    /// Whether an option was given.
    func has(_ option: String) -> Bool { values[option] != nil }

    /// The value of an option, nil when it was not given.
    func value(of option: String) -> String? { values[option] }

    /// The value of an option as a time in seconds, nil when it was not given.
    func seconds(of option: String) throws(HostError) -> Double? {
        guard let text = value(of: option) else { return nil }
        guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
            throw HostError(.usage, "\(option): `\(text)` is not a number of seconds")
        }
        return seconds
    }

    private mutating func takeOption(
        _ word: String, _ rest: inout ArraySlice<String>, _ syntax: CommandSyntax
    ) throws(HostError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = word == "-h" ? "--help" : String(parts[0])
        guard let option = syntax.allOptions.first(where: { $0.name == name }) else {
            let known = syntax.allOptions.map(\.name)
            throw Self.failure(
                "unknown option `\(name)`; \(Suggestion.message(unknown: name, known: known))",
                syntax)
        }
        guard values[name] == nil else { throw Self.failure("\(name) stands twice", syntax) }
        guard option.value != nil else {
            guard parts.count == 1 else { throw Self.failure("\(name) takes no value", syntax) }
            values[name] = ""
            return
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
            throw Self.failure("\(name) needs a value", syntax)
        }
        values[name] = value
    }

    private static func failure(_ problem: String, _ syntax: CommandSyntax) -> HostError {
        HostError(.usage, "\(problem)\nusage: \(syntax.usage)")
    }
}
