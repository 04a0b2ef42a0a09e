/// The commands of `pulsegate`, read from the sources that define them.
struct CommandNames {
    /// The names, such as `query` and `workout start`.
    let names: Set<String>

    /// Reads every `CommandSyntax(name: "…")` and `Subcommand(name: "…")`.
    init(sources: [String]) {
        var names: Set<String> = []
        for source in sources {
            for match in source.matches(of: #/(?:CommandSyntax|Subcommand)\(\s*name: "([^"]+)"/#) {
                let name = String(match.1)
                guard let interpolation = name.firstIndex(of: "\\") else {
                    names.insert(name)
                    continue
                }
                // One function makes several commands: `action(.pause, …)`.
                for call in source.matches(of: #/\baction\(\.(\w+),/#) {
                    names.insert(String(name[..<interpolation] + call.1))
                }
            }
        }
        self.names = names
    }

    /// The names of unknown commands in a line of code.
    ///
    /// - Parameter isAnywhere: Whether the command may follow other words, as in `sudo pulsegate
    /// run`;
    ///   otherwise only at the start of the line.
    func unknown(in line: some StringProtocol, isAnywhere: Bool) -> [String] {
        let words = Substring(line).split(whereSeparator: { $0.isWhitespace })
        return words.indices.compactMap { index in
            guard Self.isCommand(words[index]),
                index == words.startIndex
                    || (isAnywhere && Self.precedesCommand(words[index - 1]))
                    || (index == 1 && words[0] == "$")
            else { return nil }
            return unknown(in: words[(index + 1)...])
        }
    }

    private func unknown(in words: some Collection<Substring>) -> String? {
        guard let first = words.first.flatMap(Self.name), first != "help" else { return nil }
        guard hasActions(first) else { return names.contains(first) ? nil : first }
        guard let action = words.dropFirst().first.flatMap(Self.name) else { return nil }
        return names.contains("\(first) \(action)") ? nil : "\(first) \(action)"
    }

    private func hasActions(_ command: String) -> Bool {
        names.contains { $0.hasPrefix("\(command) ") }
    }

    /// Whether a word is the command: `pulsegate`, `.build/release/pulsegate`, `$(pulsegate`,
    /// `ExecStart=/usr/bin/pulsegate`.
    private static func isCommand(_ word: Substring) -> Bool {
        guard !isVariable(word) else { return false }
        let start = word.lastIndex { "/(=`\"".contains($0) }.map { word.index(after: $0) }
        return word[(start ?? word.startIndex)...] == "pulsegate"
    }

    /// Whether the word after this one is a program to run.
    private static func precedesCommand(_ word: Substring) -> Bool {
        let starters: Set<Substring> = [
            "$", "#", "run", "sudo", "exec", "nohup", "time", "|", "||", "&&", ";", "then", "do",
        ]
        return starters.contains(word) || isVariable(word) || word.hasSuffix(";")
    }

    /// Whether a word sets an environment variable, such as `PULSEGATE_DEBUG=1`.
    private static func isVariable(_ word: Substring) -> Bool {
        word.firstIndex(of: "=").map { end in
            word[..<end].allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }
        } ?? false
    }

    /// A lower-case word without punctuation at its end; nil for `ACTION`, `--help`, `…`.
    private static func name(_ word: Substring) -> String? {
        let end = word.lastIndex { !".,:;)`\"".contains($0) }
        let bare = end.map { word[...$0] } ?? ""
        return bare.allSatisfy { $0.isASCII && $0.isLowercase } && !bare.isEmpty
            ? String(bare) : nil
    }
}
