import GatewayCore
import GatewayHost
import Terminal

/// `pulsegate man`: prints the manual page.
struct ManCommand: Command {
    static let syntax = CommandSyntax(
        name: "man",
        summary: "Print the manual page pulsegate(1) as roff source.",
        details: """
            Installation:
              mkdir -p ~/.local/share/man/man1
              pulsegate man > ~/.local/share/man/man1/pulsegate.1
            """)

    let call: Subcommand.Call

    func run() throws(HostError) -> ExitStatus {
        let page = ManualPage(commands: Subcommand.all, version: Version.current)
        try StandardStream.output.writeResult(page.text)
        return .success
    }
}
