@testable import PulsegateCommand

/// The manual page of all commands, generated from their syntax.
enum CommandReference {
    /// The page, as Markdown.
    static var markdown: String {
        """
        # Commands

        This page lists every command with its options. It is generated from the table that parses the
        command line; `pulsegate COMMAND --help` prints the same text. Results go to standard output,
        errors and notes to standard error.

        | exit status | meaning |
        |---|---|
        | 0 | success |
        | 1 | failure at run time |
        | 64 | usage error |
        | 69 | no connection to the running gateway |
        | 78 | invalid configuration |


        """ + Subcommand.all.flatMap(\.runnable).map(section).joined(separator: "\n")
    }

    private static func section(_ syntax: CommandSyntax) -> String {
        var text = "## \(syntax.name)\n\n\(syntax.summary)\n\n    \(syntax.usage)\n\n"
        text += "| option | meaning |\n|---|---|\n"
        for option in syntax.allOptions {
            let name = ([option.name] + (option.value.map { [$0] } ?? [])).joined(separator: " ")
            let help = option.help.split(separator: "|", omittingEmptySubsequences: false)
            text += "| `\(name)` | \(help.joined(separator: "\\|")) |\n"
        }
        return syntax.details.isEmpty ? text : text + "\n\(syntax.details)\n"
    }
}
