import Foundation
import GatewayCore
import GatewayTesting
import Platform
import XCTest

/// A terminal as tmux draws it, with a shell in it: somebody types there, and sees what comes of it.
///
/// It has a tmux server of its own, which ends with it.
struct TerminalPane: Sendable {
    private static let program = "/usr/bin/tmux"
    /// How often the screen is looked at, in seconds.
    private static let lookSeconds = 0.05
    /// The last word on the screen when the shell waits for a command.
    private static let prompt = "$"

    private let home: Home
    private let socket: String
    private let server: RunningCommand
    private let clock = SystemClock()

    /// Opens a terminal of a size, whose commands get the environment of a home and some more.
    ///
    /// - Throws: `XCTSkip` where there is no tmux.
    init(
        _ home: Home, columns: Int, rows: Int, environment more: [String: String] = [:]
    ) async throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw XCTSkip("tmux is missing; apt-get install tmux")
        }
        self.home = home
        let name = "terminal-\(UUID().uuidString.prefix(8))"
        socket = home.folder.path(name)
        let command = try Home.commandPath()
        try home.folder.makeFolder("\(name)-programs")
        try FileManager.default.createSymbolicLink(
            atPath: home.folder.path("\(name)-programs/pulsegate"), withDestinationPath: command)
        var environment = home.environment.merging(more) { $1 }
        environment["PATH"] = "\(home.folder.path("\(name)-programs")):/usr/bin:/bin"
        environment["PS1"] = "\(Self.prompt) "
        environment["TERM"] = "screen-256color"
        let variables = environment.map { "\($0)='\($1)'" }.joined(separator: " ")
        try home.folder.write(
            Array("exec env -i \(variables) /bin/sh\n".utf8), to: "\(name).sh")
        let configuration = """
            set -g status off
            set -g escape-time 0
            new-session -d -x \(columns) -y \(rows) "sh '\(home.folder.path("\(name).sh"))'"

            """
        try home.folder.write(Array(configuration.utf8), to: "\(name).conf")
        server = try RunningCommand(
            [
                Self.program, "-u", "-D", "-S", socket, "-f",
                home.folder.path("\(name).conf"),
            ], in: home.folder, environment: home.environment, output: .pipe)
        try await waitForPrompt()
    }

    // MARK: The keyboard

    /// Types a command, as soon as the shell waits for one.
    func run(_ command: String) async throws {
        try await waitForPrompt()
        try await type(command)
        try await press("Enter")
    }

    /// Types characters.
    func type(_ text: String) async throws {
        try await tmux(["send-keys", "-l", text])
    }

    /// Presses a key that has a name: `Enter`, `C-c`.
    func press(_ key: String) async throws {
        try await tmux(["send-keys", key])
    }

    /// Gives the terminal another size.
    func resize(columns: Int, rows: Int) async throws {
        try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    // MARK: The screen

    /// What stands there, a line each.
    func screen() async throws -> [String] {
        try await tmux(["capture-pane", "-p"])
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// What stands there with the sequences that make its styles.
    func styledScreen() async throws -> String {
        try await tmux(["capture-pane", "-p", "-e"])
    }

    /// Waits until the screen is as it should be, and answers with it.
    ///
    /// - Throws: ``RunningCommand/Failure`` when that takes too long, with what stands there then.
    @discardableResult
    func wait(
        for what: String, until isMet: @Sendable ([String]) -> Bool
    ) async throws -> [String] {
        let end = clock.now().adding(seconds: RunningCommand.timeoutSeconds)
        var last: [String] = []
        while true {
            // There is none before the server has come up.
            if let screen = try? await screen() {
                if isMet(screen) { return screen }
                last = screen
            }
            guard clock.now() < end else { break }
            try await clock.sleep(seconds: Self.lookSeconds)
        }
        throw RunningCommand.Failure(
            description: "\(what) did not come; the screen:\n\(last.joined(separator: "\n"))")
    }

    /// Waits until a text stands there.
    @discardableResult
    func waitForText(_ text: String) async throws -> [String] {
        try await wait(for: "“\(text)”") { $0.contains { $0.contains(text) } }
    }

    /// Waits until the shell waits for a command.
    @discardableResult
    func waitForPrompt() async throws -> [String] {
        try await wait(for: "the prompt") { $0.last { !$0.isEmpty } == Self.prompt }
    }

    @discardableResult
    private func tmux(_ words: [String]) async throws -> String {
        let call = try RunningCommand(
            [Self.program, "-u", "-S", socket] + words, in: home.folder,
            environment: home.environment, output: .pipe)
        let ending = try await call.waitForEnd()
        guard ending == .exited(0) else {
            throw RunningCommand.Failure(
                description: "tmux \(words): \(await call.text(of: .error))")
        }
        return await call.text(of: .output)
    }
}
