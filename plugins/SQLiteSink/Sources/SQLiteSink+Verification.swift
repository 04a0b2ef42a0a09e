package import GatewayCore
import Platform
import SQLiteStore

/// The journal keeps what was stored until it was read again from the file.
extension SQLiteSink: VerifyingSink {
    /// The time between two verifications in seconds, when there is much to verify: each writes the log to
    /// the file.
    static let verificationSeconds = 60.0
    /// The time between two verifications of less, in seconds: a page that changes all the time is written
    /// to the file with each.
    static let longestVerificationSeconds = 600.0
    /// The number of records that are much to verify.
    static let verificationCount = 2_000

    /// Opens a file that was moved or repaired, or reads what was stored from the file, now and then and at
    /// the end.
    package func verify(isAtEnd: Bool) async throws -> StoreState {
        guard !isAtEnd || unverifiedCount > 0 else { return .unverified }
        if isFull {
            isFull = false
            return .full
        }
        do {
            try await closeMovedStore()
            try await skipCorruptStore()
            let store = try await openStore()
            if let content = openedContent {
                openedContent = nil
                return .opened(content)
            }
            guard unverifiedCount > 0, isAtEnd || isVerificationDue() else { return .unverified }
            return try await isIntact(store) ? .verified : .unverified
        } catch {
            throw note(error)
        }
    }

    private func isVerificationDue() -> Bool {
        let now = clock.now()
        guard nextVerification.map({ now >= $0 }) ?? true,
            unverifiedCount >= Self.verificationCount || isLongSinceVerification(at: now)
        else { return false }
        nextVerification = now.adding(seconds: Self.verificationSeconds)
        return true
    }

    private func isLongSinceVerification(at now: BootInstant) -> Bool {
        lastVerification.map { now.seconds(since: $0) >= Self.longestVerificationSeconds } ?? true
    }

    private func isIntact(_ store: SQLiteStore) async throws -> Bool {
        try await store.checkSize()
        // A file that took its place meanwhile was read in vain.
        guard try await store.verifyNewRows(), files?.change == nil else {
            return false
        }
        unverifiedCount = 0
        lastVerification = clock.now()
        return true
    }
}
