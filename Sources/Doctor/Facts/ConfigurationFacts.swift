/// The configuration, and what is made of it.
package struct ConfigurationFacts: Area {
    /// A source or sink that cannot work as it is configured.
    package struct Flaw: Sendable {
        /// Its name.
        package var name: String
        package var kind: Finding.Kind
        /// The problem with its remedy.
        package var reason: String
    }

    /// The path of the file; nil without one.
    package var path: String?
    /// What is wrong with the configuration, `devices.json`, `people.json` or `access.json`, in a
    /// line each.
    package var errors: [String] = []
    /// The names of the sources; nil when they are not known.
    package var sources: [String]?
    /// Whether the configuration names its sources; without, adopted devices are read.
    package var namesSources = false
    /// Whether the configuration has services, which need no source.
    package var hasServices = false
    /// A line for each adopted device that no source reads, and for each source that reads nothing.
    package var unread: [String] = []
    package var flaws: [Flaw] = []
    /// The command for the data of a service is run by root.
    package var isOfService = false

    var findings: [Finding] {
        errors.map { Finding(.configurationInvalid, split($0).problem, fix: split($0).fix) }
            + nothingToRead
            + unread.map { Finding(.deviceUnread, split($0).problem, fix: split($0).fix) }
            + flaws.map { flaw in
                let (problem, fix) = split(flaw.reason)
                return Finding(flaw.kind, problem, subject: flaw.name, fix: fix)
            }
    }

    private var nothingToRead: [Finding] {
        guard let sources, sources.isEmpty, errors.isEmpty, !(namesSources && hasServices)
        else { return [] }
        let text =
            namesSources
            ? "`sources` in \(path ?? "the configuration") is empty"
            : "no source is configured and no device is adopted"
        let command = isOfService ? "sudo pulsegate" : "pulsegate"
        return [
            Finding(
                .nothingToRead, text,
                fix: Fix(
                    command: "\(command) devices", note: "then \(command) adopt ADDRESS|PORT"))
        ]
    }

    private func split(_ reason: String) -> (problem: String, fix: Fix) {
        Fix.split(reason, otherwise: path.map { "correct \($0)" } ?? "correct what it names")
    }

    var well: [String] {
        guard errors.isEmpty else { return [] }
        var lines = ["configuration: \(path.map { "\($0) is valid" } ?? "no file, using defaults")"]
        if let sources, !sources.isEmpty {
            lines.append("sources: \(sources.joined(separator: ", "))")
        }
        return lines
    }
}
