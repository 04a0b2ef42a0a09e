import ArgumentValues

/// The operands and options of a command, for the parser, the help and the completions.
struct CommandSyntax: Sendable {
    /// `--from T`, or `--simulate` without a value.
    struct Option: Sendable {
        let name: String
        var value: String?
        /// The kind of value, for completions.
        var kind = ValueKind.text
        let help: String
    }

    /// A positional argument: `TYPE`.
    struct Operand: Sendable, ExpressibleByStringLiteral {
        let name: String
        let kind: ValueKind

        init(_ name: String, _ kind: ValueKind) {
            self.name = name
            self.kind = kind
        }

        init(stringLiteral name: String) { self.init(name, .text) }

        /// One of a few words: `day|month`.
        static func choice(_ words: [String]) -> Operand {
            Operand(words.joined(separator: "|"), .words(words))
        }
    }

    let name: String
    let summary: String
    /// The required operands, `TYPE`.
    var operands: [Operand] = []
    /// The optional operands, which follow the required ones, `NAME`.
    var optionalOperands: [Operand] = []
    /// Whether its one operand may be given several times.
    var hasRepeatedOperand = false
    /// The name of any number of operands after all others.
    var restOperand: String?
    /// Whether a surplus operand may be a secret, which no message repeats.
    var hidesSurplus = false
    var options: [Option] = []
    /// Further help, printed below the options.
    var details = ""

    static let json = Option(name: "--json", help: "print JSON")
    static let configuration = Option(
        name: "--config", value: "FILE", kind: .file,
        help: "configuration file; default: $PULSEGATE_CONFIG, then pulsegate/pulsegate.json5 in "
            + "~/.config or /etc")
    static let simulate = Option(
        name: "--simulate", help: "use the data of `pulsegate run --simulate`")
    /// The output format, of every command that lists or reports.
    static let formats = [
        Option(
            name: "--format", value: "FORMAT", kind: .words(OutputFormat.allCases.map(\.rawValue)),
            help: "table, csv, json or ndjson; default: table"),
        Option(name: "--json", help: "short for --format json"),
    ]

    /// The maximum number of what a command prints.
    static func limit(_ things: String) -> Option {
        Option(name: "--limit", value: "N", help: "at most N \(things)")
    }
    static let help = Option(name: "--help", help: "show this help")

    /// The command's own options and those that every command has.
    var allOptions: [Option] { options + [Self.configuration, Self.help] }

    /// The line after `usage:`, as `pulsegate query TYPE [--from T] …`.
    var usage: String {
        let optional = options.map { option in
            "[\(option.name)\(option.value.map { " \($0)" } ?? "")]"
        }
        let repeated = hasRepeatedOperand ? ["..."] : []
        let words = operands.map(\.name) + repeated + optionalOperands.map { "[\($0.name)]" }
        let rest = restOperand.map { ["[-- \($0) ...]"] } ?? []
        return (["pulsegate", name] + words + optional + rest).joined(separator: " ")
    }

    /// The text of `--help`.
    var helpText: String {
        let rows = allOptions.map { option in
            ("\(option.name)\(option.value.map { " \($0)" } ?? "")", option.help)
        }
        let detailText = details.isEmpty ? "" : "\n\(details)\n"
        return "\(summary)\n\nusage: \(usage)\n\n\(Self.columns(rows))\(detailText)"
    }

    /// Two columns, the second aligned.
    static func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            "  \(left)\(String(repeating: " ", count: width - left.count + 3))\(right)\n"
        }.joined()
    }
}
