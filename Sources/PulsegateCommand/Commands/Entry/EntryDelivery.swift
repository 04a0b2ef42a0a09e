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
    /// How long the store may take to have what was accepted, in seconds.
    private static let storeSeconds = 3.0
    /// How often is looked again meanwhile, in seconds.
    private static let lookSeconds = 0.02

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
        init(_ sample: QuantitySample) {
            records = [.sample(sample)]
            requests = [.add(sample)]
            look = "pulsegate query \(sample.type.name)"
        }

        /// Records of a file, so many that several requests are needed.
        init(_ records: [Record], look: String) {
            self.records = records
            requests = ControlRequest.ingest(records)
            self.look = look
        }
    }

    /// Gives what is entered to the running gateway, or to one of its own.
    ///
    /// Another `add` has the data directory for a moment, and nobody can reach it meanwhile.
    func deliver(_ entry: Entry) async throws(HostError) {
        let end = clock.now().adding(seconds: Self.folderSeconds)
        while true {
            let isTaken = DataDirectoryLock.owner(of: files.folder) != nil
            do throws(HostError) {
                guard isTaken else { return try await own.take(entry) }
                if try ask(entry) { return }
                guard clock.now() < end else {
                    throw HostError(
                        .failure, "not stored: the gateway on \(files.folder.path) is stopping")
                }
            } catch {
                guard !ControlClient.canReach(files.folder),
                    isTaken || DataDirectoryLock.owner(of: files.folder) != nil, clock.now() < end
                else { throw error }
            }
            // Each record has its id, so it is stored once however often it is sent.
            try? await clock.sleep(seconds: Self.lookSeconds)
        }
    }

    /// Asks the running gateway; false when it is stopping.
    private func ask(_ entry: Entry) throws(HostError) -> Bool {
        var client = try ControlClient(files.folder, isSimulation: false, clock: clock)
        do throws(HostError) {
            for request in entry.requests
            where try client.ask(request) == ControlClient.stopping { return false }
            return true
        } catch {
            guard error.status == .unreachable else { throw error }
            throw HostError(
                .unreachable,
                "\(error.text); it may be stored all the same: look with `\(entry.look)` before you "
                    + "add it again")
        }
    }

    /// Waits until the store has the sample, but not for long.
    func isStored(_ sample: QuantitySample, in file: StoreFile) async -> Bool {
        let end = clock.now().adding(seconds: Self.storeSeconds)
        while true {
            if let store = try? file.open(), (try? await store.hasSample(sample.id)) == true {
                return true
            }
            guard clock.now() < end, (try? await clock.sleep(seconds: Self.lookSeconds)) != nil
            else { return false }
        }
    }
}
