import GatewayCore
import Platform
import Synchronization

/// The tokens of the configuration, read again for each request that has one, so that a replaced or removed
/// one is not accepted any more.
struct TokenList: Sendable {
    /// The minimum length of a token in bytes: a shorter one can be guessed.
    static let minimumLength = 16

    private let tokens: [WebToken]
    private let log: Logger
    private let reported = Reported()

    private final class Reported: Sendable {
        let names = Mutex<Set<PlainName>>([])
    }

    /// Makes a list.
    init(_ tokens: [WebToken], log: Logger) {
        self.tokens = tokens
        self.log = log
    }

    /// Returns the name of the client that has a token.
    ///
    /// It compares with every token in full, so that the time says nothing about how much is right.
    func find(_ token: String) -> PlainName? {
        var found: PlainName?
        for known in tokens {
            guard let value = read(known) else { continue }
            if Self.isEqual(value, token) { found = known.name }
        }
        return found
    }

    /// Logs each token that cannot be used; the next request may find it repaired.
    func check() {
        for token in tokens { _ = read(token) }
    }

    private func read(_ token: WebToken) -> String? {
        let problem: String
        do {
            let value = try token.secret.read().text
            guard value.utf8.count < Self.minimumLength else {
                _ = reported.names.withLock { $0.remove(token.name) }
                return value
            }
            problem = "must have at least \(Self.minimumLength) characters"
        } catch {
            problem = error.description
        }
        if reported.names.withLock({ $0.insert(token.name).inserted }) {
            log.warning(
                "a token cannot be used", ["client": token.name.text, "reason": problem])
        }
        return nil
    }

    private static func isEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
