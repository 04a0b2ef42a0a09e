import GatewayCore
import GatewayHost
import HealthModel
import HealthTransfer
import Platform
import SQLiteStore
import Terminal

/// Calculates the statistics of the hours in the store that have none, with a line of progress.
struct SummaryUpdate {
    private let store: SQLiteStore
    private let types: QuantityTypes
    private let environment: Environment
    private let isRebuild: Bool

    /// - Parameter isRebuild: Whether the samples of all hours are read, so that their share is known.
    init(
        _ store: SQLiteStore, _ types: QuantityTypes, _ environment: Environment,
        isRebuild: Bool = false
    ) {
        self.store = store
        self.isRebuild = isRebuild
        self.types = types
        self.environment = environment
    }

    /// Returns what went wrong with types whose samples cannot be read.
    func run() async throws -> [String] {
        var progress = ProgressLine(
            environment, clock: SystemClock(), title: "statistics of hours: ")
        defer { progress.end() }
        var failures: [String] = []
        var count = 0
        let expected = isRebuild && progress.isShown ? try await store.count(of: types) : nil
        while true {
            do {
                guard let read = try await store.summariseNextHours(types: types) else { break }
                count += read
            } catch let error as SQLiteStoreError {
                failures.append("\(error)")
            }
            if let expected {
                progress.show(count: count, of: expected)
            } else {
                progress.show(count: count)
            }
        }
        return failures
    }
}

extension CommandFiles {
    /// Calculates the statistics of hours that were imported, unless a gateway does so.
    ///
    /// A failure is reported as a note: without them statistics read the samples.
    func summariseImported(_ environment: Environment) async {
        guard DataDirectoryLock.owner(of: folder) == nil else { return }
        do {
            guard try openStoreIfCreated() != nil else { return }
            let update = SummaryUpdate(try createStore(), types, environment)
            for failure in try await update.run() { CommandNote.write(failure) }
        } catch {
            CommandNote.write("cannot calculate the statistics of hours: \(error)")
        }
    }
}
