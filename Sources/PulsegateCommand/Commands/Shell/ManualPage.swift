import GatewayHost

/// The manual page pulsegate(1), written with the macros of man(7).
struct ManualPage {
    let commands: [Subcommand]
    let version: String

    var text: String {
        """
        .TH PULSEGATE 1 "" "pulsegate \(escaped(version))" "User Commands"
        .SH NAME
        pulsegate \\- \(escaped(PulsegateCommand.summary))
        .SH SYNOPSIS
        \\fBpulsegate\\fR \\fICOMMAND\\fR \\&...
        .br
        \\fBpulsegate\\fR \\fBhelp\\fR \\fICOMMAND\\fR
        .br
        \\fBpulsegate\\fR \\fB\\-\\-version\\fR
        .SH OPTIONS
        These options apply to every command.
        \(rows(of: CommandSyntax(name: "", summary: "").allOptions))
        .SH COMMANDS
        \(commands.flatMap(\.runnable).map(section).joined(separator: "\n"))
        .SH EXIT STATUS
        \(Self.statuses.map { row(bold("\($0.rawValue)"), $1) }.joined(separator: "\n"))
        .SH ENVIRONMENT
        \(row(bold("PULSEGATE_CONFIG"), "Configuration file; used when \\-\\-config is not given."))

        """
    }

    private static let statuses: KeyValuePairs<ExitStatus, String> = [
        .success: "Success.", .failure: "Failure at run time.",
        .usage: "Usage error.",
        .unreachable: "No connection to the running gateway.",
        .configuration: "Invalid configuration.",
    ]

    private func section(of syntax: CommandSyntax) -> String {
        let operands =
            syntax.operands.map { italic($0.name) }
            + (syntax.hasRepeatedOperand ? ["..."] : [])
            + syntax.optionalOperands.map { "[\(italic($0.name))]" }
            + (syntax.restOperand.map { ["[-- \(italic($0)) ...]"] } ?? [])
        let title = ([escaped(syntax.name)] + operands).joined(separator: " ")
        let details = syntax.details.isEmpty ? "" : "\n.PP\n\(paragraph(syntax.details))"
        let options = syntax.options.isEmpty ? "" : "\n\(rows(of: syntax.options))"
        return ".SS \(title)\n\(paragraph(syntax.summary))\(options)\(details)"
    }

    private func rows(of options: [CommandSyntax.Option]) -> String {
        options.map { option in
            row(
                bold(option.name) + (option.value.map { " \(italic($0))" } ?? ""),
                paragraph(option.help))
        }.joined(separator: "\n")
    }

    private func row(_ term: String, _ meaning: String) -> String {
        ".TP\n\(term)\n\(meaning)"
    }

    /// Text that roff fills; it does not fill lines that begin with a space.
    private func paragraph(_ text: String) -> String {
        text.split(separator: "\n").map { escaped(String($0)) }.joined(separator: "\n")
    }

    private func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    private func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Text with the special characters of roff escaped: see groff_char(7).
    private func escaped(_ text: String) -> String {
        let start = text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : ""
        return start
            + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\\": "\\e"
                case "-": "\\-"
                case "'": "\\(aq"
                case "`": "\\(ga"
                case "\"": "\\(dq"
                case "~": "\\(ti"
                case "^": "\\(ha"
                // A terminal without UTF-8 has no such character, and groff warns.
                case "…": "..."
                case _ where !scalar.isASCII:
                    "\\[u\(String(repeating: "0", count: max(0, 4 - hex(scalar).count)))\(hex(scalar))]"
                default: String(scalar)
                }
            }.joined()
    }

    private func hex(_ scalar: Unicode.Scalar) -> String {
        String(scalar.value, radix: 16, uppercase: true)
    }
}
