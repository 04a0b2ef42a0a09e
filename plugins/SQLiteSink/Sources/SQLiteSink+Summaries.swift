import GatewayCore
import Platform
import SQLite
import SQLiteStore

extension SQLiteSink {
    /// The time between two looks at complete summaries, in seconds.
    private static let summarySeconds = 60.0

    /// Continues the summaries of hours, from which statistics are calculated: a step with each batch
    /// while hours are missing.
    ///
    /// Without them statistics read samples. So a failure affects the batch only if the file is corrupt.
    func summarise(_ store: SQLiteStore) async throws {
        let now = clock.now()
        guard nextSummary.map({ now >= $0 }) ?? true else { return }
        do {
            if try await store.summariseNextHours(types: types) != nil { return }
            lastSummaryFailure = nil
        } catch let error as SQLiteError where Self.isDamage(error) {
            throw error
        } catch {
            logSummaryFailure("\(error)")
        }
        nextSummary = now.adding(seconds: Self.summarySeconds)
    }

    /// Logs a repeated failure once.
    private func logSummaryFailure(_ failure: String) {
        if failure != lastSummaryFailure {
            log.warning(
                "cannot summarise samples; statistics read them instead", ["reason": failure])
        }
        lastSummaryFailure = failure
    }
}
