/// The manual's page of every command, made of the syntax that parses them.
enum CommandReference {
    /// The page, as Markdown.
    static var markdown: String {
        """
        # Commands

        This page lists every command with its options. It is generated from the syntax that parses the
        command line; `pulsegate COMMAND --help` prints the same. Results go to standard output,
        everything else to standard error.

        | exit status | meaning |
        |---|---|
        | 0 | done |
        | 1 | failed at run time |
        | 64 | wrong usage |
        | 69 | the running gateway cannot be reached |
        | 78 | the configuration is wrong |


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
