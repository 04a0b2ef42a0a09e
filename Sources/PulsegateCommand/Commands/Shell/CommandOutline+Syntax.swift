import ShellCompletions

extension CommandOutline {
    /// The outline of a command and its actions, with the words of this build.
    init(_ command: Subcommand, _ words: KnownWords) {
        let syntax = command.syntax
        func operands(_ operands: [CommandSyntax.Operand]) -> [Operand] {
            operands.map { Operand(name: $0.name, source: words.source(of: $0.kind)) }
        }
        self.init(name: syntax.name, summary: syntax.summary)
        options = syntax.allOptions.map { option in
            Option(
                name: option.name, value: option.value, source: words.source(of: option.kind),
                help: option.help)
        }
        self.operands = operands(syntax.operands)
        optionalOperands = operands(syntax.optionalOperands)
        hasRepeatedOperand = syntax.hasRepeatedOperand
        actions = command.actions.map { CommandOutline($0, words) }
    }
}

extension KnownWords {
    fileprivate func source(of kind: ValueKind) -> CompletionSource {
        switch kind {
        case .file: .file
        case .person: .person
        default: .words(words(for: kind))
        }
    }
}
