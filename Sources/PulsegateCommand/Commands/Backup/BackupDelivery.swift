import ControlSocket
import GatewayCore
import GatewayHost
import Platform
import SQLiteStore

/// Waits until the store has what was accepted, so that a backup of the store has it.
struct BackupDelivery {
    /// The path of the store; nil without one among the sinks.
    let storePath: String?
    /// The numbers of records that wait in the journal, by sink.
    let waiting: [String: Int64]
    /// The sink of the store, if it does not get all records.
    let incompleteStore: String?
    /// What the user should know.
    let notes: [String]

    init(
        _ call: Subcommand.Call, _ files: CommandFiles, _ store: StoreFile?
    ) async throws(HostError) {
        var notes = Self.notes(store, files)
        storePath = store?.path
        let isRunning = DataDirectoryLock.owner(of: files.folder) != nil
        var isComplete = true
        if let store, isRunning || Self.pending(files.folder)[store.sinkName, default: 0] > 0 {
            let delivery = EntryDelivery(call, files, clock: SystemClock())
            do throws(HostError) {
                isComplete = try await delivery.waitForStore()
            } catch {
                isComplete = false
                notes.append(error.text)
            }
        }
        var waiting = Self.pending(files.folder)
        // What was accepted meanwhile is not missing.
        if let store, isComplete { waiting[store.sinkName] = nil }
        self.waiting = waiting.filter { $0.value > 0 }
        incompleteStore = isComplete ? nil : store?.sinkName
        self.notes = notes
    }

    private static func notes(_ store: StoreFile?, _ files: CommandFiles) -> [String] {
        guard let store else { return ["there is no store among the sinks; the backup has none"] }
        let others = (files.configuration.configuration.sinks ?? []).filter {
            $0.use == StoreSettings.use && $0.name != store.sinkName
        }
        let missing =
            Folder.exists(store.path)
            ? [] : ["there is no store yet at \(store.path); the backup has none"]
        return missing
            + others.map {
                "the store of the sink \($0.name) is not in the backup, only that of "
                    + store.sinkName
            }
    }

    /// Asks the running gateway; without an answer, and without a gateway, the journal says it.
    private static func pending(_ folder: DataDirectory) -> [String: Int64] {
        if DataDirectoryLock.owner(of: folder) != nil,
            var client = try? ControlClient(folder, isSimulation: false, clock: SystemClock()),
            let answer = try? client.ask(.status), let report = try? StatusReport(line: answer)
        {
            return Dictionary(
                report.sinks.map { ($0.part.name, $0.pending) }, uniquingKeysWith: { $1 })
        }
        return BacklogNotes(journalIn: folder).pending
    }
}
