/// The name of a new plugin: a Swift type name, and the names that follow from it.
package struct PluginName: Hashable, Sendable {
    /// The longest name, in characters: the lines of the templates have space for it.
    static let lengthLimit = 24

    /// The name of the folder and of the Swift module: `StepClip`.
    package let module: String
    /// The beginning of its type names: the module without a last word such as `Sink`.
    package let stem: String
    /// The value of `use` in the configuration: `stepClip`.
    package let use: String

    /// Checks a name.
    ///
    /// - Throws: ``PluginNameError`` with a name that would be valid, where one is near.
    package init(_ text: String, kind: PluginKind) throws(PluginNameError) {
        guard Self.isTypeName(text) else {
            throw PluginNameError(text, Self.shapeProblem(of: text, kind: kind))
        }
        let stem = Self.stem(of: text, kind: kind)
        guard !stem.isEmpty else {
            throw PluginNameError(text, "`\(text)` alone says nothing; use a name such as StepClip")
        }
        let names = kind == .program ? [] : [text] + kind.types(stem: stem)
        if let type = names.first(where: Self.takenTypes.contains) {
            throw PluginNameError(text, "Pulsegate has a type `\(type)`")
        }
        if let type = names.first(where: Self.swiftTypes.contains) {
            throw PluginNameError(
                text, "Swift has a type `\(type)`; use a name of your own, such as StepClip")
        }
        guard !Self.takenModules.contains(text.lowercased()) else {
            throw PluginNameError(text, "a module of the system or of Swift has this name")
        }
        module = text
        self.stem = stem
        use = Self.words(of: stem).enumerated().map { index, word in
            index == 0 ? word.lowercased() : word
        }.joined()
    }

    /// The name of its main type: `StepClipProtocol`.
    package func type(_ kind: PluginKind) -> String { kind.types(stem: stem)[0] }

    /// The name of a program: `step_clip`.
    package var snakeCase: String {
        Self.words(of: stem).map { $0.lowercased() }.joined(separator: "_")
    }

    /// Checks that nothing else has the name: a plugin, a module of the package, a C module.
    ///
    /// Upper and lower case are equal here, because they are easily confused.
    package func check(modules: [String], uses: [String]) throws(PluginNameError) {
        let own = [module.lowercased(), "\(module)tests".lowercased()]
        if let other = modules.first(where: { own.contains($0.lowercased()) }) {
            throw PluginNameError(module, "the package has `\(other)` already")
        }
        if let other = uses.first(where: { $0.lowercased() == use.lowercased() }) {
            throw PluginNameError(module, "the plugin `\(other)` is built in already")
        }
    }

    // MARK: The parts of a name

    /// Names that no module of a plugin can have, in lower case.
    private static let takenModules: Set<String> = [
        "swift", "foundation", "foundationessentials", "glibc", "musl", "dispatch", "xctest",
        "testing", "synchronization", "observation", "cxx", "regexbuilder", "any", "self", "type",
        "protocol", "main", "package", "tests", "pulsegate", "pulsegatekit", "pulsegatetesting",
        "pulsegateearlystart",
    ]
    /// Types of Pulsegate that a plugin would hide.
    private static let takenTypes: Set<String> = [
        "SerialProtocol", "DeviceAdapter", "GATTProfile", "GATTAdapter", "LineSink", "InMemorySink",
        "SerialSource", "BluetoothSource", "ExecSource", "SimulatedStrapSource",
        "SimulatedPedometerSource", "Source", "Sink", "Service",
    ]
    /// Types of Swift and Foundation that a plugin would hide, or that would hide its module.
    private static let swiftTypes: Set<String> = [
        "Any", "Array", "Bool", "Character", "Clock", "Data", "Date", "Dictionary",
        "DispatchSource",
        "Double", "Duration", "Error", "Float", "Int", "Never", "Optional", "Range", "Result",
        "Sendable", "Sequence", "Set", "String", "Substring", "Task", "UInt", "URL", "UUID", "Void",
    ]

    private static func isTypeName(_ text: String) -> Bool {
        guard let first = text.first, first.isASCII, first.isUppercase else { return false }
        return text.count <= lengthLimit
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func shapeProblem(of text: String, kind: PluginKind) -> String {
        let rule = "use a Swift type name of at most \(lengthLimit) letters and digits"
        let letters = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let near = letters.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        guard near != text, isTypeName(near) else { return "\(rule), such as StepClip" }
        return "\(rule); did you mean `\(near)`?"
    }

    private static func stem(of text: String, kind: PluginKind) -> String {
        for suffix in kind.typeSuffixes where text.hasSuffix(suffix) {
            return String(text.dropLast(suffix.count))
        }
        return text
    }

    /// The words of a name: `BLEScale` has `BLE` and `Scale`, `HxM` has `Hx` and `M`.
    static func words(of name: String) -> [String] {
        let letters = Array(name)
        var words: [String] = []
        for (index, letter) in letters.enumerated() {
            let isAfterSmall = index > 0 && !letters[index - 1].isUppercase
            let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
            if words.isEmpty || letter.isUppercase && (isAfterSmall || isBeforeSmall) {
                words.append("")
            }
            words[words.count - 1].append(letter)
        }
        return words
    }
}

/// The reason why a plugin cannot have a name.
package struct PluginNameError: Error, Equatable, CustomStringConvertible {
    /// The message with the name, the reason and what to do.
    package let description: String

    init(_ name: String, _ problem: String) {
        description = "`\(name)` cannot be the name of a plugin: \(problem)"
    }
}
