package import GatewayCore
import Platform

/// A sink that was asked whether it could deliver records now.
package struct SinkFacts: Area {
    /// What the attempt has shown.
    package enum Outcome: Sendable {
        /// Its server accepts records.
        case accepts
        /// Its server has answered, and rejects a request without a record.
        case answers
        /// Its server does not.
        case refused(SinkError)
        /// Its server has not answered within this number of seconds.
        case silent(seconds: Double)
        /// Its store has no damage, or does not exist yet.
        case intact(path: String, exists: Bool)
        /// Its store is damaged, with the remedy.
        case damaged(path: String, reason: String)
        /// There is something else at the path of its store.
        case noFile(path: String)
        /// Its store cannot be opened.
        case noAccess(problem: String, remedy: String)
    }

    package var name: String
    package var outcome: Outcome
    /// Whether the running gateway cannot deliver to it.
    package var isFailing = false

    /// Makes the facts of a sink.
    package init(name: String, outcome: Outcome) {
        self.name = name
        self.outcome = outcome
    }

    var findings: [Finding] {
        switch outcome {
        case .accepts, .answers, .intact: return []
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
        case .noFile(let path):
            return [
                Finding(
                    .sinkUnusable, "the store \(path) is not a regular file", subject: name,
                    fix: Fix(instruction: "move it away, or change `path` of the sink"))
            ]
        case .noAccess(let problem, let remedy):
            return [
                Finding(
                    .sinkUnusable, "the store \(problem)", subject: name,
                    fix: Fix(instruction: remedy))
            ]
        case .damaged(let path, let reason):
            let word = ShellWord.quoted(path)
            return [
                Finding(
                    .storeDamaged, "the store is damaged: \(reason)", subject: name,
                    fix: Fix(
                        command: "mkdir \(word).damaged && mv \(word) \(word)-* \(word).damaged/",
                        note: "starts an empty store; the manual says how to recover the old one"))
            ]
        }
    }

    var well: [String] {
        guard !isFailing else { return [] }
        return switch outcome {
        case .accepts: ["sink \(name): its server accepts the login and records"]
        case .answers:
            [
                "sink \(name): its server answers; whether it accepts records is seen at the first one"
            ]
        case .intact(let path, let exists):
            ["store: \(path), \(exists ? "no damage found" : "which the first record creates")"]
        default: []
        }
    }
}
