import Platform

/// What an operator does about a problem, with the commands as values: a reader of the message pastes them, and the
/// doctor prints them.
package struct Remedy: Hashable, Sendable, CustomStringConvertible {
    /// What the commands do: `start it`.
    package let instruction: String
    /// The programs with their arguments, one after the other; empty when no command does it.
    package let commands: [[String]]
    /// What to do after the commands: `log in again`.
    package let next: String?

    /// Makes a remedy of commands.
    package init(_ instruction: String, run commands: [String]..., then next: String? = nil) {
        self.init(instruction, commands: commands, then: next)
    }

    /// Makes a remedy of a list of commands.
    package init(_ instruction: String, commands: [[String]], then next: String? = nil) {
        self.instruction = instruction
        self.commands = commands
        self.next = next
    }

    /// The commands as one line for sh(1); nil without any.
    package var commandLine: String? {
        guard !commands.isEmpty else { return nil }
        return commands.map { $0.map(ShellWord.quoted).joined(separator: " ") }
            .joined(separator: " && ")
    }

    /// One line: `start it: sudo systemctl start bluetooth`.
    package var description: String {
        let text = commandLine.map { "\(instruction): \($0)" } ?? instruction
        return next.map { "\(text), then \($0)" } ?? text
    }
}

extension Remedy {
    /// Restarts bluetoothd.
    package static let restartBluetooth = Remedy(
        "restart it", run: ["sudo", "systemctl", "restart", "bluetooth"])
    /// Turns a Bluetooth adapter on.
    package static let turnOnAdapter = Remedy("turn it on", run: ["bluetoothctl", "power", "on"])
}
