import Foundation
import GatewayTesting
import XCTest

/// What `--help` prints, which the completions and the manual page must agree with.
enum HelpText {
    /// Every command and action by name, with its options.
    static func commands(of home: Home) async throws -> [(name: String, options: [String])] {
        var commands: [(name: String, options: [String])] = []
        for name in try await names(home, []) {
            let help = try await home.run([name, "--help"]).output
            guard help.contains("ACTION …") else {
                commands.append((name, options(in: help)))
                continue
            }
            for action in try await names(home, [name]) {
                let words = action.split(separator: " ").map(String.init)
                commands.append(
                    (action, options(in: try await home.run(words + ["--help"]).output)))
            }
        }
        XCTAssertGreaterThan(commands.count, 25)
        return commands
    }

    /// The names in the first column of an overview, which two columns of spaces surround.
    private static func names(_ home: Home, _ words: [String]) async throws -> [String] {
        let lines = try await home.run(words + ["--help"]).output.split(separator: "\n")
        return lines.compactMap { line in
            guard line.hasPrefix("  "), !line.hasPrefix("  pulsegate"),
                let end = line.dropFirst(2).range(of: "   ")
            else { return nil }
            return String(line.dropFirst(2)[..<end.lowerBound]).trimmingCharacters(in: .whitespaces)
        }
    }

    private static func options(in help: String) -> [String] {
        help.split(separator: "\n").filter { $0.hasPrefix("  --") }.map { line in
            String(line.dropFirst(2).prefix { $0 != " " })
        }
    }
}
