import ControlSocket
import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import Platform

/// The way of an entered sample to the sinks, and a look whether the store has it.
struct EntryDelivery {
    /// How long others may have the data directory, in seconds.
    private static let folderSeconds = 15.0
    /// How long a gateway may take to answer when it waits for the store before, in seconds.
    private static let timeoutSeconds = ControlClient.timeoutSeconds + 3

    let files: CommandFiles
    let clock: any GatewayClock
    /// The gateway for when none runs.
    let own: OwnGateway

    /// What is entered.
    struct Entry {
        let records: [Record]
        /// What a running gateway is asked, one after the other.
        let requests: [ControlRequest]
        /// The command that shows whether it is stored.
        let look: String

        /// A value that a person has entered.
        ///
        /// - Parameter waitsForStore: Whether a running gateway answers when the store has it, or takes
        ///   too long.
        init(_ sample: QuantitySample, waitsForStore: Bool) {
            records = [.sample(sample)]
            requests = [.add(sample, waitingForStore: waitsForStore)]
            look = "pulsegate query \(sample.type.name)"
        }

        /// Records of a file, so many that several requests are needed.
        ///
        /// A running gateway answers the last request when the store has all of them, or takes too long.
        init(_ records: [Record], look: String) {
            self.records = records
            requests = ControlRequest.ingest(records, waitingForStore: true)
            self.look = look
        }
    }

    /// Gives what is entered to the running gateway, or to one of its own.
    ///
    /// Another `add` has the data directory for a moment, and nobody can reach it meanwhile. Each record has
    /// its id, so it is stored once however often it is sent.
    func deliver(_ entry: Entry) async throws(HostError) {
        let end = clock.now().adding(seconds: Self.folderSeconds)
        var lock: DataDirectoryLock?
        while true {
            let turn = DataDirectoryTurn(files.folder, clock: clock)
            let isTaken = lock == nil && DataDirectoryLock.owner(of: files.folder) != nil
            let failure: HostError
            do throws(HostError) {
                guard isTaken else { return try await own.take(entry, holding: lock) }
                if try ask(entry) { return }
                failure = HostError(
                    .failure, "not stored: the gateway on \(files.folder.path) is stopping")
            } catch {
                guard lock == nil, !ControlClient.canReach(files.folder),
                    isTaken || DataDirectoryLock.owner(of: files.folder) != nil
                else { throw error }
                failure = error
            }
            switch try await turn.wait(until: end) {
            case .own(let free): lock = free
            case .gateway: lock = nil
            case nil: throw failure
            }
        }
    }

    /// Asks the running gateway; false when it is stopping.
    private func ask(_ entry: Entry) throws(HostError) -> Bool {
        var client = try ControlClient(files.folder, isSimulation: false, clock: clock)
        do throws(HostError) {
            for request in entry.requests
            where try client.ask(request, timeout: Self.timeoutSeconds) == ControlClient.stopping {
                return false
            }
            return true
        } catch {
            guard error.status == .unreachable else { throw error }
            throw HostError(
                .unreachable,
                "\(error.text); it may be stored all the same: look with `\(entry.look)` before you "
                    + "add it again")
        }
    }

    /// Whether the store has the sample; who took it has waited for that.
    func isStored(_ sample: QuantitySample, in file: StoreFile) async -> Bool {
        guard let store = try? file.open() else { return false }
        return (try? await store.hasSample(sample.id)) == true
    }
}
