package import GatewayCore

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
}
