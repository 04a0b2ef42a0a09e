import GatewayCore
import HealthModel
import HealthStore
import Platform
import SQLiteStore

/// Writes the characteristics of people to the store of a gateway, for programs that read it: when the
/// gateway starts, and when the people change.
actor CharacteristicsKeeper {
    private let log: Logger
    /// The queue on which the file is read and written.
    private nonisolated let executor = QueueExecutor(label: "people")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(log: Logger) { self.log = log.named("people") }

    /// Writes what has changed.
    ///
    /// People without characteristics do not create a store.
    func keep(_ plan: GatewayPlan) async {
        do {
            let file = try StoreFile(ifIn: plan.file, plan.folder, usesConfiguredSinks: true)
            if let file {
                try await keep(Self.characteristics(plan.configuration.people), in: file)
            }
        } catch {
            log.warning(
                "cannot write the characteristics of people to the store", ["reason": "\(error)"])
        }
    }

    private func keep(_ wanted: [String: Characteristics], in file: StoreFile) async throws {
        let known = try await file.openIfCreated()?.characteristics() ?? [:]
        guard known != wanted else { return }
        try StoreCheck(path: file.path).run()
        try await SQLiteStore(path: file.path).replaceCharacteristics(by: wanted)
    }

    private static func characteristics(_ people: People) -> [String: Characteristics] {
        var all: [String: Characteristics] = [:]
        for person in people.names.compactMap({ people.person(named: $0) }) {
            let own = Characteristics(of: person)
            if own != Characteristics() { all[person.name] = own }
        }
        return all
    }
}
