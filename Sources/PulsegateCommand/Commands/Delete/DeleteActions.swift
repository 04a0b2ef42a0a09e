import GatewayHost

/// The actions of `pulsegate delete`.
enum DeleteActions {
    /// All actions, in the order of the overview.
    static let all = [
        Subcommand(DeleteSampleCommand.self), Subcommand(DeleteWorkoutCommand.self),
        Subcommand(DeletePersonCommand.self), Subcommand(DeleteImportCommand.self),
    ]

    /// The options of every action.
    static let options = [
        CommandSyntax.Option(name: "--yes", help: "delete without a question"),
        CommandSyntax.Option(
            name: "--dry-run", help: "print what would be deleted, and delete nothing"),
        CommandSyntax.Option(
            name: "--json", help: "print JSON; only with --yes or --dry-run"),
    ]

    /// The help that every action shares.
    static let details = """
        It prints what will be deleted, and asks at a terminal. Elsewhere it needs --yes or --dry-run.
        A gateway may run meanwhile. Other sinks that accept deletions delete too; an
        import of a file that contains them stores them again.
        """
}

/// How a deletion is confirmed.
enum DeletionMode: Equatable {
    /// By the answer to a question at the terminal.
    case question
    /// By `--yes`.
    case confirmed
    /// Not at all: nothing is deleted.
    case dryRun

    /// Reads the mode from the options.
    ///
    /// - Parameter hasTerminal: Whether a question can be asked.
    init(_ arguments: ParsedArguments, hasTerminal: Bool) throws(HostError) {
        switch (arguments.has("--yes"), arguments.has("--dry-run")) {
        case (true, true):
            throw HostError(
                .usage, "--yes and --dry-run exclude each other; remove one of them")
        case (true, false): self = .confirmed
        case (false, true): self = .dryRun
        case (false, false):
            guard !arguments.has("--json") else {
                throw HostError(.usage, "--json requires --yes or --dry-run")
            }
            guard hasTerminal else {
                throw HostError(
                    .usage,
                    "nothing is deleted, because there is no terminal for a question; add --yes to "
                        + "delete without one, or --dry-run to see what would be deleted")
            }
            self = .question
        }
    }
}
