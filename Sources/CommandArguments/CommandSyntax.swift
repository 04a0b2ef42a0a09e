import ArgumentValues
import Terminal

/// The operands and options of a command, for the parser, the help and the completions.
package struct CommandSyntax: Sendable {
    /// `--from T`, or `--simulate` without a value.
    package struct Option: Sendable {
        package let name: String
        package var value: String?
        /// The kind of value, for completions.
        package var kind = ValueKind.text
        package let help: String

        /// Makes an option.
        package init(
            name: String, value: String? = nil, kind: ValueKind = .text, help: String
        ) {
            self.name = name
            self.value = value
            self.kind = kind
            self.help = help
        }
    }

    /// A positional argument: `TYPE`.
    package struct Operand: Sendable, ExpressibleByStringLiteral {
        package let name: String
        package let kind: ValueKind

        package init(_ name: String, _ kind: ValueKind) {
            self.name = name
            self.kind = kind
        }

        package init(stringLiteral name: String) { self.init(name, .text) }

        /// One of a few words: `day|month`.
        package static func choice(_ words: [String]) -> Operand {
            Operand(words.joined(separator: "|"), .words(words))
        }
    }

    package let name: String
    package let summary: String
    /// The required operands, `TYPE`.
    package var operands: [Operand] = []
    /// The optional operands, which follow the required ones, `NAME`.
    package var optionalOperands: [Operand] = []
    /// Whether its one operand may be given several times.
    package var hasRepeatedOperand = false
    /// The name of any number of operands after all others.
    package var restOperand: String?
    /// Whether a surplus operand may be a secret, which no message repeats.
    package var hidesSurplus = false
    package var options: [Option] = []
    /// Further help, printed below the options.
    package var details = ""

    /// Makes the syntax of a command.
    package init(
        name: String, summary: String, operands: [Operand] = [],
        optionalOperands: [Operand] = [], hasRepeatedOperand: Bool = false,
        restOperand: String? = nil, hidesSurplus: Bool = false, options: [Option] = [],
        details: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.optionalOperands = optionalOperands
        self.hasRepeatedOperand = hasRepeatedOperand
        self.restOperand = restOperand
        self.hidesSurplus = hidesSurplus
        self.options = options
        self.details = details
    }

    package static let json = Option(name: "--json", help: "print JSON")
    package static let configuration = Option(
        name: "--config", value: "FILE", kind: .file,
        help: "configuration file; default: $PULSEGATE_CONFIG, then pulsegate/pulsegate.json5 in "
            + "~/.config or /etc")
    package static let simulate = Option(
        name: "--simulate", help: "use the data of `pulsegate run --simulate`")
    /// The output format, of every command that lists or reports.
    package static let formats = [
        Option(
            name: "--format", value: "FORMAT", kind: .words(OutputFormat.allCases.map(\.rawValue)),
            help: "table, csv, json or ndjson; default: table"),
        Option(name: "--json", help: "short for --format json"),
    ]

    /// The maximum number of what a command prints.
    package static func limit(_ things: String) -> Option {
        Option(name: "--limit", value: "N", help: "at most N \(things)")
    }
    package static let help = Option(name: "--help", help: "show this help")

    /// The command's own options and those that every command has.
    package var allOptions: [Option] { options + [Self.configuration, Self.help] }

    /// The line after `usage:`, as `pulsegate query TYPE [--from T] …`.
    package var usage: String {
        let optional = options.map { option in
            "[\(option.name)\(option.value.map { " \($0)" } ?? "")]"
        }
        let repeated = hasRepeatedOperand ? ["..."] : []
        let words = operands.map(\.name) + repeated + optionalOperands.map { "[\($0.name)]" }
        let rest = restOperand.map { ["[-- \($0) ...]"] } ?? []
        return (["pulsegate", name] + words + optional + rest).joined(separator: " ")
    }

    /// The text of `--help`.
    package var helpText: String {
        let rows = allOptions.map { option in
            ("\(option.name)\(option.value.map { " \($0)" } ?? "")", option.help)
        }
        let detailText = details.isEmpty ? "" : "\n\(details)\n"
        return "\(summary)\n\nusage: \(usage)\n\n\(DefinitionList.text(rows))\(detailText)"
    }
}
