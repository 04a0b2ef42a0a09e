package import GatewayCore

/// A sink that was asked whether it could deliver records now.
package struct SinkFacts: Area {
    /// What the attempt has shown.
    package enum Outcome: Sendable {
        /// Its server accepts records.
        case accepts
        /// Its server does not.
        case refused(SinkError)
        /// Its server has not answered within this number of seconds.
        case silent(seconds: Double)
        /// Its store has no damage, or does not exist yet.
        case intact(path: String, exists: Bool)
        /// Its store is damaged, with the remedy.
        case damaged(path: String, reason: String)
    }

    package var name: String
    package var outcome: Outcome

    /// Makes the facts of a sink.
    package init(name: String, outcome: Outcome) {
        self.name = name
        self.outcome = outcome
    }

    var findings: [Finding] {
        switch outcome {
        case .accepts, .intact: return []
        case .silent(let seconds):
            return [
                Finding(
                    .repositoryUnreachable,
                    "the server of the sink \(name) has not answered within \(Int(seconds)) s",
                    subject: name, fix: Fix(instruction: "check the network and the server"))
            ]
        case .refused(let error):
            let kind: Finding.Kind =
                if case .retry = error { .repositoryUnreachable } else { .repositoryRejecting }
            let (problem, fix) = Fix.split(
                error.description, otherwise: "check `url` of the sink, the network and the server")
            return [Finding(kind, "\(name): \(problem)", subject: name, fix: fix)]
        case .damaged(let path, let reason):
            return [
                Finding(
                    .storeDamaged, "the store is damaged: \(reason)", subject: name,
                    fix: Fix(
                        command: "mkdir \(Self.quoted(path)).damaged && "
                            + "mv \(Self.quoted(path)) \(Self.quoted(path))-* \(Self.quoted(path)).damaged/",
                        note: "starts an empty store; the manual says how to recover the old one"))
            ]
        }
    }

    private static func quoted(_ path: String) -> String {
        path.contains(where: { " '\"$`\\&;()<>|*?#".contains($0) })
            ? "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
            : path
    }

    var well: [String] {
        switch outcome {
        case .accepts: ["sink \(name): its server accepts the login and records"]
        case .intact(let path, let exists):
            ["store: \(path), \(exists ? "no damage found" : "which the first record creates")"]
        default: []
        }
    }
}
