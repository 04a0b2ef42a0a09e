package import GatewayCore
import Platform

/// What to do about a finding: a command to paste, or an instruction where none exists.
package struct Fix: Equatable, Sendable {
    /// The command; nil where the reader must do something else.
    package let command: String?
    /// The instruction or, beside a command, what to do after it.
    package let note: String?

    /// Makes a fix from a command, and what to do after it.
    package init(command: String, note: String? = nil) {
        self.command = command
        self.note = note
    }

    /// Makes a fix that is no command.
    package init(instruction: String) {
        command = nil
        note = instruction
    }

    /// One line, of which a shell runs the command: what follows is a comment.
    package var text: String {
        guard let command else { return note ?? "" }
        return note.map { "\(command)  # \($0)" } ?? command
    }
}

extension Fix {
    /// The fix on a machine that systemd does not run: `sudo service bluetooth start`.
    var withoutSystemd: Fix {
        guard let command else { return self }
        let words = command.split(separator: " ").map(String.init)
        if words.starts(with: ["sudo", "systemctl"]), words.count == 4 {
            return Fix(command: "sudo service \(words[3]) \(words[2])", note: note)
        }
        guard words.starts(with: ["sudo", "timedatectl"]) else { return self }
        return Fix(instruction: "run an NTP service, or set the clock with `date -s`")
    }

    /// The programs with which a command in a remedy begins.
    private static let programs: Set<Substring> = [
        "sudo", "bluetoothctl", "rfkill", "pulsegate", "systemctl", "chmod", "timedatectl",
    ]

    /// Makes a fix from the remedy of an error.
    ///
    /// - Parameter other: The fix of an error without a remedy.
    package init(_ error: LinkError, otherwise other: Fix) {
        if let remedy = error.commands, let command = remedy.commandLine {
            self.init(command: command, note: remedy.next.map { "then \($0)" })
        } else {
            self = error.remedy.map(Fix.init(remedy:)) ?? other
        }
    }

    /// Finds the command in a remedy of the gateway: `start it: sudo systemctl start bluetooth`.
    package init(remedy: String) {
        self = Self.command(endingIn: remedy)?.fix ?? Fix(instruction: remedy)
    }

    /// Splits the reason that a gateway gives, `PROBLEM; REMEDY`, at its remedy.
    ///
    /// - Parameter instruction: The fix of a reason without a remedy.
    package static func split(
        _ reason: String, otherwise instruction: String
    ) -> (problem: String, fix: Fix) {
        let (problem, rest) = parts(of: reason)
        if let found = command(endingIn: rest ?? problem) {
            // `the device may need pairing: pulsegate pair …` is a part of the problem.
            let isProblem = rest == nil || found.lead.hasPrefix("the ")
            let lead = rest == nil ? found.lead : "\(problem); \(found.lead)"
            return (isProblem ? lead : problem, found.fix)
        }
        return (problem, Fix(instruction: rest ?? instruction))
    }

    /// The text before and after the last `; `.
    private static func parts(of reason: String) -> (String, String?) {
        let characters = Array(reason)
        let index = characters.indices.dropLast().last {
            characters[$0] == ";" && characters[$0 + 1] == " "
                && isUnquoted(before: characters[$0...])
        }
        guard let index else { return (reason, nil) }
        return (String(characters[..<index]), String(characters[(index + 2)...]))
    }

    /// Whether a place is outside the single quotes of a command, as of a path, by what follows it.
    private static func isUnquoted(before rest: some Sequence<Character>) -> Bool {
        rest.count { $0 == "'" }.isMultiple(of: 2)
    }

    /// The command at the end of a text, after a colon or `run`, and what is before it.
    private static func command(endingIn text: String) -> (lead: String, fix: Fix)? {
        for mark in [": ", "run "] {
            for start in text.ranges(ofText: mark) {
                let rest = text[start.upperBound...].trimmed(of: "`")
                guard let first = rest.split(separator: " ").first, programs.contains(first),
                    !rest.contains("`"), isUnquoted(before: rest)
                else { continue }
                return (text[..<start.lowerBound].trimmed(of: " "), fix(of: rest))
            }
        }
        return nil
    }

    /// `COMMAND, then COMMAND` and `COMMAND, then log in again`.
    private static func fix(of text: String) -> Fix {
        let then = ", then "
        let range = text.ranges(ofText: then).first { isUnquoted(before: text[$0.upperBound...]) }
        guard let range else { return Fix(command: text) }
        let (command, next) = (String(text[..<range.lowerBound]), text[range.upperBound...])
        guard let first = next.split(separator: " ").first, programs.contains(first) else {
            return Fix(command: command, note: "then \(next)")
        }
        return Fix(command: "\(command); \(next)")
    }
}

extension Substring {
    fileprivate func trimmed(of character: Character) -> String {
        var text = self
        while text.first == character { text.removeFirst() }
        while text.last == character { text.removeLast() }
        return String(text)
    }
}
