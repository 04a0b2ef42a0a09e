import JSON

/// The words of HTTP in place of the commands that messages of the gateway name.
///
/// Every message names a command in one form: `pulsegate COMMAND …` between grave accents. A client of HTTP reads
/// the operation that does the same, or that the command is one of the gateway's machine.
enum HTTPWords {
    /// An operation that does the same as a command.
    fileprivate struct Counterpart {
        /// The words after `pulsegate`.
        let command: [String]
        let method: String
        let path: String
        /// The keys of the operation by option.
        var keys: [String: String] = ["--person": "person"]
        /// Whether the values of the keys are lists.
        var hasLists = false
    }

    private static let workoutActions = [
        "start", "pause", "resume", "lap", "mark", "stop", "discard",
    ]

    /// The operations; a command with two words comes before one with its first word.
    private static let counterparts: [Counterpart] =
        workoutActions.map {
            Counterpart(command: ["workout", $0], method: "POST", path: "/v1/workout/\($0)")
        } + [
            Counterpart(command: ["workout", "status"], method: "GET", path: "/v1/workout"),
            Counterpart(command: ["workout", "show"], method: "GET", path: "/v1/workouts"),
            Counterpart(command: ["workout", "list"], method: "GET", path: "/v1/workouts"),
            Counterpart(command: ["workout", "import"], method: "POST", path: "/v1/imports"),
            Counterpart(
                command: ["access", "request"], method: "POST", path: "/v1/access",
                keys: ["--read": "read", "--share": "share", "--manage": "manage"], hasLists: true),
            Counterpart(command: ["add"], method: "POST", path: "/v1/records", keys: [:]),
            Counterpart(command: ["import"], method: "POST", path: "/v1/imports"),
            Counterpart(command: ["query"], method: "GET", path: "/v1/samples"),
            Counterpart(command: ["status"], method: "GET", path: "/v1/status", keys: [:]),
            Counterpart(command: ["devices"], method: "GET", path: "/v1/devices", keys: [:]),
        ]

    private static let program = "pulsegate"

    /// A message for a client of HTTP.
    static func text(_ message: String) -> String {
        // Every second part is between two accents.
        let parts = message.split(separator: "`", omittingEmptySubsequences: false)
        var text = ""
        for (index, part) in parts.enumerated() {
            guard index % 2 == 1 else {
                text += part
                continue
            }
            // The last accent of an odd number opens nothing.
            guard index < parts.count - 1 else { return text + "`\(part)" }
            let words = part.split(separator: " ").map(String.init)
            text += words.first == program ? phrase(words.dropFirst()) : "`\(part)`"
        }
        return text
    }

    private static func phrase(_ words: ArraySlice<String>) -> String {
        guard let found = counterparts.first(where: { words.starts(with: $0.command) }) else {
            return "`\(program) \(words.joined(separator: " "))` on the gateway's machine"
        }
        let values = found.values(in: words.dropFirst(found.command.count))
        guard !values.isEmpty else { return "`\(found.method) \(found.path)`" }
        guard found.method == "GET" || found.path == "/v1/imports" else {
            return "`\(found.method) \(found.path) \(JSONValue.object(values).json)`"
        }
        let query = values.sorted { $0.key < $1.key }.map { "`\($0.key)` \($0.value.json)" }
        return "`\(found.method) \(found.path)` with \(query.joined(separator: ", "))"
    }
}

extension HTTPWords.Counterpart {
    /// The values of the options that the operation has keys for.
    fileprivate func values(in words: ArraySlice<String>) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        var rest = words
        while let option = rest.popFirst() {
            guard let key = keys[option] else { continue }
            let value = rest.prefix { !$0.hasPrefix("--") }.joined(separator: " ")
            guard !value.isEmpty else { continue }
            values[key] =
                hasLists
                ? .array(value.split(separator: ",").map { .string(String($0)) }) : .string(value)
        }
        return values
    }
}
