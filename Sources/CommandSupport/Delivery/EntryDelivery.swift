import ControlSocket
package import GatewayCore
package import GatewayHost
package import HealthModel
package import HealthTransfer
import Platform
import SQLiteStore

/// Delivers entered or imported records, through the running gateway or a temporary one.
package struct EntryDelivery {
    /// The timeout while another process uses the data directory, in seconds.
    private static let lockTimeoutSeconds = 15.0
    /// The timeout for an answer of a gateway that waits for the store first, in seconds.
    private static let timeoutSeconds = ControlClient.timeoutSeconds + 3

    /// How often a gateway waits for the store, three seconds each.
    private static let waits = 20

    package let files: CommandFiles
    package let clock: any GatewayClock
    /// The gateway to use if none is running.
    let temporary: TemporaryGateway

    package init(_ call: Subcommand.Call, _ files: CommandFiles, clock: any GatewayClock) {
        self.files = files
        self.clock = clock
        temporary = TemporaryGateway(
            files: files, plugins: call.plugins, environment: call.environment, clock: clock,
            executor: call.executor)
    }

    /// The records to deliver.
    package struct Entry {
        package let parts: RecordParts
        /// The command that shows whether the records are stored.
        package let checkCommand: String
        private let makeRequests: @Sendable (_ part: [Record], _ isLast: Bool) -> [ControlRequest]

        /// Creates the entry of a manually entered sample.
        ///
        /// - Parameter waitsForStore: Whether a running gateway answers only when the store has the
        ///   sample, or after a timeout.
        package init(_ sample: QuantitySample, waitsForStore: Bool) {
            parts = RecordParts([.sample(sample)])
            makeRequests = { _, _ in [.add(sample, waitingForStore: waitsForStore)] }
            checkCommand = "pulsegate query \(sample.type.name)"
        }

        /// Creates the entry of imported records, which may need several requests.
        ///
        /// A running gateway answers the last request when the store has all records, or after a
        /// timeout.
        package init(_ parts: RecordParts, checkCommand: String) {
            self.parts = parts
            makeRequests = { ControlRequest.ingest($0, waitingForStore: $1) }
            self.checkCommand = checkCommand
        }

        /// Delivers nothing new: a gateway delivers what it has accepted before.
        package static let nothing = Entry(
            parts: .empty, checkCommand: "pulsegate status", makeRequests: { _, _ in [] })

        private init(
            parts: RecordParts, checkCommand: String,
            makeRequests: @escaping @Sendable ([Record], Bool) -> [ControlRequest]
        ) {
            self.parts = parts
            self.checkCommand = checkCommand
            self.makeRequests = makeRequests
        }

        /// The requests of a part to a running gateway, in order.
        func requests(of part: [Record], isLast: Bool) -> [ControlRequest] {
            makeRequests(part, isLast)
        }
    }

    /// Delivers an entry through the running gateway, or through a temporary one.
    ///
    /// Another `add` may hold the data directory for a short time, without a control socket. Record
    /// ids make sure that a record is stored only once, even if it is sent again.
    ///
    /// - Returns: The names of the sinks of a temporary gateway that have not accepted all yet.
    package func deliver(_ entry: Entry) async throws(HostError) -> Set<String> {
        guard !files.areOfAnotherUser else {
            if try send(entry) { return [] }
            throw isStopping
        }
        let end = clock.now().adding(seconds: Self.lockTimeoutSeconds)
        var lock: DataDirectoryLock?
        while true {
            let wait = DataDirectoryWait(files.folder, clock: clock)
            let isInUse = lock == nil && DataDirectoryLock.owner(of: files.folder) != nil
            let failure: HostError
            do throws(HostError) {
                guard isInUse else { return try await temporary.deliver(entry, holding: lock) }
                if try send(entry) { return [] }
                failure = isStopping
            } catch {
                guard lock == nil, !ControlClient.canReach(files.folder),
                    isInUse || DataDirectoryLock.owner(of: files.folder) != nil
                else { throw error }
                failure = error
            }
            switch try await wait.outcome(until: end) {
            case .locked(let free): lock = free
            case .gateway: lock = nil
            case nil: throw failure
            }
        }
    }

    private var isStopping: HostError {
        HostError(
            .failure, "not stored: the gateway on \(files.folder.path) is stopping", cause: .busy)
    }

    /// Sends the entry to the running gateway; false if it is stopping.
    private func send(_ entry: Entry) throws(HostError) -> Bool {
        var client = try ControlClient(files.folder, isSimulation: false, clock: clock)
        do throws(HostError) {
            let parts = entry.parts.makeIterator()
            var next = parts.next()
            while let part = next {
                next = parts.next()
                guard try send(entry.requests(of: part, isLast: next == nil), by: &client) else {
                    return false
                }
            }
            return true
        } catch {
            guard error.status == .unreachable else { throw error }
            throw HostError(
                .unreachable,
                "\(error.text); the records may be stored: "
                    + "check with `\(entry.checkCommand)` before adding them again")
        }
    }

    private func send(
        _ requests: [ControlRequest], by client: inout ControlClient
    ) throws(HostError) -> Bool {
        for request in requests
        where try client.ask(request, timeout: Self.timeoutSeconds) == ControlClient.stopping {
            return false
        }
        return true
    }

    /// Waits until the store has all records that were accepted so far; false when it is too slow, or
    /// cannot be written.
    package func waitForStore() async throws(HostError) -> Bool {
        guard let store = try? StoreFile(files).sinkName else { return true }
        guard try await !deliver(.nothing).contains(store) else { return false }
        for _ in 0..<Self.waits where DataDirectoryLock.owner(of: files.folder) != nil {
            var client = try ControlClient(files.folder, isSimulation: false, clock: clock)
            let answer = try client.ask(.waitForStore, timeout: Self.timeoutSeconds)
            if answer == ControlClient.stored { return true }
        }
        return DataDirectoryLock.owner(of: files.folder) == nil
    }

    /// Whether the store has the sample; the delivery has waited for it already.
    package func isStored(_ sample: QuantitySample, in file: StoreFile) async -> Bool {
        guard let store = try? file.open() else { return false }
        return (try? await store.hasSample(sample.id)) == true
    }
}
