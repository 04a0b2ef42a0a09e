import GatewayHost
import JSON
import Platform
import ShellCompletions
import Terminal

/// `pulsegate completions`: prints a completion script for a shell.
struct CompletionsCommand: Command {
    private enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    static let syntax = CommandSyntax(
        name: "completions",
        summary: "Print a completion script for bash, zsh or fish.",
        operands: [.choice(Shell.allCases.map(\.rawValue))],
        details: """
            Installation for bash (with the package bash-completion):
              mkdir -p ~/.local/share/bash-completion/completions
              pulsegate completions bash > ~/.local/share/bash-completion/completions/pulsegate
            Installation for zsh (put `fpath+=(~/.zfunc)` before `compinit` in ~/.zshrc):
              mkdir -p ~/.zfunc
              pulsegate completions zsh > ~/.zfunc/_pulsegate
            Installation for fish:
              mkdir -p ~/.config/fish/completions
              pulsegate completions fish > ~/.config/fish/completions/pulsegate.fish
            """)

    let call: Subcommand.Call

    func run() throws(HostError) -> ExitStatus {
        let word = arguments.operands[0]
        guard let shell = Shell(rawValue: word) else {
            let known = Shell.allCases.map(\.rawValue)
            throw HostError(
                .usage,
                "completions: unknown shell `\(LogFormat.escaped(word))`; "
                    + Suggestion.message(unknown: word, known: known))
        }
        let words = try KnownWords(plugins)
        let commands = Subcommand.all.map { CommandOutline($0, words) }
        let text =
            switch shell {
            case .bash: BashCompletions(commands: commands).text
            case .zsh: ZshCompletions(commands: commands).text
            case .fish: FishCompletions(commands: commands).text
            }
        try StandardStream.output.writeResult(text)
        return .success
    }
}
