import Foundation
import GatewayTesting
import XCTest

/// A shell that has loaded the completions of the built command, and is asked what it would offer.
struct CompletionShell {
    let name: String
    let home: Home
    /// The file with what `pulsegate completions` printed.
    let script: String

    /// - Throws: `XCTSkip` where the shell is not installed.
    init(_ name: String, _ home: Home) async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)") else {
            throw XCTSkip("\(name) is missing; apt-get install \(name)")
        }
        var home = home
        let folder = URL(fileURLWithPath: try Home.commandPath()).deletingLastPathComponent()
        home.environment["PATH"] = "\(folder.path):/usr/bin:/bin"
        let outcome = try await home.run("completions", name)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        try home.folder.write(Array(outcome.output.utf8), to: "_pulsegate")
        self.name = name
        self.home = home
        script = home.folder.path("_pulsegate")
    }

    /// Runs the shell without the user's own start files.
    func run(_ words: String...) async throws -> (output: String, error: String) {
        let options = ["bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]]
        let shell = try RunningCommand(
            ["/usr/bin/env", "-C", home.folder.path, "/usr/bin/\(name)"] + (options[name] ?? [])
                + words, in: home.folder,
            environment: home.environment, output: .pipe)
        let ending = try await shell.waitForEnd(within: 30)
        let (output, error) = (await shell.text(of: .output), await shell.text(of: .error))
        XCTAssertEqual(ending, .exited(0), error)
        return (output, error)
    }

    /// What the shell offers at the end of a command line; of zsh the line that a tab completes.
    func offers(after line: String) async throws -> [String] {
        let outcome =
            switch name {
            case "bash": try await run("-c", Self.bash, "bash", script, line)
            case "zsh": try await run("-c", Self.zsh, "zsh", home.folder.path, line)
            default:
                try await run("-c", #"source $argv[1]; complete -C "$argv[2]""#, script, line)
            }
        XCTAssertEqual(outcome.error, "", line)
        let lines = outcome.output.split(whereSeparator: \.isNewline)
        return lines.map { String($0.split(separator: "\t")[0]) }
    }

    /// Makes words of a line as readline does, and calls the function that is registered.
    private static let bash = #"""
        source "$1"
        line=$2
        COMP_WORDS=(${line//=/ = })
        [[ $line == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        function=$(complete -p pulsegate)
        function=${function#* -F }
        ${function%% *}
        printf '%s\n' "${COMPREPLY[@]}"
        """#

    /// Types the line at a zsh in a terminal of its own, and prints what a tab makes of it.
    private static let zsh = #"""
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "PS1=; unsetopt zle_bracketed_paste; fpath=($1 \$fpath)"
        zpty -w shell "autoload -Uz compinit; compinit -u -d $1/dump"
        zpty -w shell 'finish() { zle complete-word; print -r -- "<<$BUFFER>>" }; zle -N finish'
        zpty -w shell 'bindkey "^I" finish; print REA""DY'
        zpty -r -m shell text '*READY*'
        zpty -w -n shell "$2"$'\t'
        zpty -r -m shell text '*<<*>>*'
        print -r -- "${${text##*<<}%%>>*}"
        """#
}
