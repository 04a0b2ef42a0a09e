import ArgumentValues
package import GatewayCore
package import GatewayHost
import JSON

/// The operands and options after a command's name.
package struct ParsedArguments: Sendable {
    package private(set) var operands: [String] = []
    private var values: [String: String] = [:]

    /// Parses words according to a command's syntax.
    ///
    /// Options are accepted in any position, as `--name value` or `--name=value`. A negative number is an
    /// operand, and so is every word after `--`.
    package init(_ words: [String], syntax: CommandSyntax) throws(HostError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            } else if word.hasPrefix("-"), word.count > 1, Double(word) == nil {
                try parseOption(word, &rest, syntax)
            } else {
                operands.append(word)
            }
        }
        guard !has("--help") else { return }
        let limit = syntax.operands.count + syntax.optionalOperands.count
        let isOpen = syntax.hasRepeatedOperand || syntax.restOperand != nil
        if !isOpen, let surplus = operands.dropFirst(limit).first {
            guard !syntax.hidesSurplus else {
                throw Self.failure(
                    "a secret must not be an argument, because other users can see it", syntax)
            }
            throw Self.failure("unexpected argument `\(surplus)`\(hint(on: surplus))", syntax)
        }
        if operands.count < syntax.operands.count {
            throw Self.failure("\(syntax.operands[operands.count].name) is required", syntax)
        }
    }

    /// Whether an option was given.
    package func has(_ option: String) -> Bool { values[option] != nil }

    /// The value of an option, nil when it was not given.
    package func value(of option: String) -> String? { values[option] }

    /// The value of an option as a number of seconds, nil when it was not given.
    package func seconds(of option: String) throws(HostError) -> Double? {
        guard let text = value(of: option) else { return nil }
        guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
            throw HostError(
                .usage,
                "\(option): expected a number of seconds above 0, up to 1000000000, found `\(text)`"
            )
        }
        return seconds
    }

    /// The operand as a Bluetooth address.
    package func bluetoothAddress() throws(HostError) -> BluetoothAddress {
        guard let address = BluetoothAddress(operands[0]) else {
            throw HostError(
                .usage,
                "`\(operands[0])` is not a Bluetooth address such as D0:11:22:33:44:55; "
                    + "list the devices in range with `pulsegate devices`")
        }
        return address
    }

    private mutating func parseOption(
        _ word: String, _ rest: inout ArraySlice<String>, _ syntax: CommandSyntax
    ) throws(HostError) {
        // By scalars: the sign and a combining mark after it are one character.
        let parts = word.unicodeScalars.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = word == "-h" ? "--help" : String(parts[0])
        guard let option = syntax.allOptions.first(where: { $0.name == name }) else {
            let known = syntax.allOptions.map(\.name)
            throw Self.failure(
                "unknown option `\(name)`; \(Suggestion.message(unknown: name, known: known))",
                syntax)
        }
        guard values[name] == nil else { throw Self.failure("\(name) is given twice", syntax) }
        guard option.value != nil else {
            guard parts.count == 1 else {
                throw Self.failure("\(name) does not accept a value", syntax)
            }
            values[name] = ""
            return
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
            throw Self.failure("\(name) requires a value", syntax)
        }
        values[name] = value
    }

    /// The hint for the second word of a period without quotes: `--from last week`.
    private func hint(on surplus: String) -> String {
        let words = values.values.map { "\($0)-\(surplus)" }
        return words.first(where: PeriodArgument.isWord).map { "; write \($0)" } ?? ""
    }

    private static func failure(_ problem: String, _ syntax: CommandSyntax) -> HostError {
        HostError(.usage, "\(problem)\nusage: \(syntax.usage)")
    }
}
