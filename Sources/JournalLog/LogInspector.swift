package import GatewayCore
import Glibc

/// Reads the log of a gateway that is not running, and changes nothing.
package enum LogInspector {
    /// Reads the last committed ledger; nil when there is no log, or its ledger is damaged.
    package static func ledger(at path: String) -> Ledger? {
        do throws(LogError) {
            let contents = try LogContents(LogFolder(path: path, creating: false))
            return contents.hasLedger && contents.journal != nil ? contents.ledger : nil
        } catch {
            return nil
        }
    }

    /// Reads the ledger as ``ledger(at:)`` does, from the newest segment alone when that is as a run has left it.
    package static func newestLedger(at path: String) -> Ledger? {
        do throws(LogError) {
            let newest = try NewestSegment(LogFolder(path: path, creating: false))
            if let ledger = try newest?.committedLedger() { return ledger }
        } catch {
            // What cannot be read may be another segment.
        }
        return ledger(at: path)
    }

    /// What is wrong with a log; empty when nothing is, or when there is none.
    ///
    /// - Throws: ``LogError`` when the folder or a segment cannot be read.
    package static func problems(at path: String) throws(LogError) -> [String] {
        do throws(LogError) {
            return try LogContents(LogFolder(path: path, creating: false)).problems
        } catch {
            if case .system(_, ENOENT) = error.problem { return [] }
            throw error
        }
    }
}
