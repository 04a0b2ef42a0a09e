/// What completes an operand or the value of an option.
package enum CompletionSource: Sendable {
    case file
    /// The name of a person, which the command itself lists.
    case person
    /// Known words; none for free text.
    case words([String])
}

/// The words of a command, for completions.
package struct CommandOutline: Sendable {
    /// An option, with the name of its value if it has one.
    package struct Option: Sendable {
        let name: String
        let value: String?
        let source: CompletionSource
        let help: String

        package init(name: String, value: String?, source: CompletionSource, help: String) {
            self.name = name
            self.value = value
            self.source = source
            self.help = help
        }
    }

    /// A positional argument.
    package struct Operand: Sendable {
        let name: String
        let source: CompletionSource

        package init(name: String, source: CompletionSource) {
            self.name = name
            self.source = source
        }
    }

    let name: String
    let summary: String
    /// The options, the operands and the optional operands after them; set unless it has actions.
    package var options: [Option] = []
    package var operands: [Operand] = []
    package var optionalOperands: [Operand] = []
    /// Whether its one operand may be given several times.
    package var hasRepeatedOperand = false
    /// The actions that the next word names.
    package var actions: [CommandOutline] = []

    package init(name: String, summary: String) {
        self.name = name
        self.summary = summary
    }

    /// The last word of the name: `start` of `workout start`.
    var lastWord: String { String(name.split(separator: " ").last ?? "") }

    /// The commands to run: the command itself, or its actions.
    var runnable: [CommandOutline] { actions.isEmpty ? [self] : actions }
}
