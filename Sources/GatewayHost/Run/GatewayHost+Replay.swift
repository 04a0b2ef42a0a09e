import Capture
import GatewayCore
package import HealthModel
import Platform
import Synchronization

extension GatewayHost {
    /// Options of a replay.
    package struct ReplayOptions: Sendable {
        /// The path of the capture.
        package var path: String
        /// How many times faster than it was recorded; nil for as fast as possible.
        package var speed: Double?
        /// The directory of a new store; nil to write lines to standard output.
        package var folder: DataDirectory?
        /// The known types.
        package var types: QuantityTypes

        package init(
            path: String, speed: Double?, folder: DataDirectory?, types: QuantityTypes
        ) {
            self.path = path
            self.speed = speed
            self.folder = folder
            self.types = types
        }
    }

    /// The maximum buffer of the sink: the replay waits above it.
    private static let bufferBytes: Int64 = 16 << 20
    /// How long the sink may take at the end of a replay, in seconds.
    private static let deliverySeconds = 86_400.0

    /// Runs a capture through adapters, converter, bus and a sink.
    ///
    /// The records depend on the capture alone, not on the configuration or the time.
    ///
    /// - Throws: ``HostError`` if the capture is invalid; the records before the invalid line are
    ///   delivered.
    package func replay(_ options: ReplayOptions, until stop: StopSignal) async throws(HostError) {
        let (reader, header) = try await open(options.path)
        let lock = try options.folder.map(Self.lockNewFolder)
        defer { withExtendedLifetime(lock) {} }
        let replayClock = ReplayClock(header)
        let sink = try makeReplaySink(options)
        let (gateway, pipeline) = try makeGateway(sink, options, header, replayClock)
        let replay = Replay(
            adapters: adapters(of: options), speed: options.speed.map { .times($0) } ?? .maximum,
            clock: replayClock, systemClock: clock, pipeline: pipeline
        ) { await gateway.journal.waitForSpace() }
        let failure = Mutex<HostError?>(nil)
        let ledger = await gateway.run {
            let error = await Self.run(replay, reader, gateway, clock, sink.name, until: stop)
            failure.withLock { $0 = error }
        }
        report(ledger)
        if await reader.isTorn {
            log.warning("the last line of the capture is incomplete; it was ignored")
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private func adapters(of options: ReplayOptions) -> AdapterMaker {
        AdapterMaker(
            profiles: maker.plugins.profiles, protocols: maker.plugins.serialProtocols,
            formats: maker.plugins.advertisements,
            context: ComponentContext(
                name: "replay", clock: clock, log: log, dataDirectory: "/", types: options.types))
    }

    /// Feeds a capture and waits until its records are delivered, or until a stop is requested.
    private static func run(
        _ replay: Replay, _ reader: CaptureReader, _ gateway: Gateway, _ clock: any GatewayClock,
        _ sink: String, until stop: StopSignal
    ) async -> HostError? {
        await withTaskGroup(of: HostError?.self) { group in
            group.addTask {
                await stop.wait()
                return nil
            }
            group.addTask {
                var failure: HostError?
                do { try await replay.run(reader) } catch is CancellationError {} catch {
                    failure = HostError(.failure, "\(error)")
                }
                // Commits what is waiting, so that the delivery includes it.
                _ = await gateway.ingest([Record]())
                let end = clock.now().adding(seconds: deliverySeconds)
                _ = await gateway.waitForDelivery(to: sink, until: end)
                return failure
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func open(_ path: String) async throws(HostError) -> (CaptureReader, CaptureHeader) {
        do throws(CaptureError) {
            let reader = try CaptureReader(path)
            return (reader, try await reader.header())
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }

    /// Creates and locks the directory of a replay, which must not have the data of a gateway.
    private static func lockNewFolder(
        _ folder: DataDirectory
    ) throws(HostError) -> DataDirectoryLock {
        try folder.create()
        guard try folder.isEmpty() else {
            throw HostError(
                .failure,
                "\(folder.path) is not empty; replay into a new directory, so that replayed "
                    + "samples are not mixed with others")
        }
        return try DataDirectoryLock(folder)
    }

    private func makeReplaySink(_ options: ReplayOptions) throws(HostError) -> Gateway.NamedSink {
        var configuration = GatewayConfiguration(types: options.types)
        if options.folder == nil {
            configuration.sinks = [
                GatewayConfiguration.Component(
                    name: "lines", use: GatewayPlan.standardOutputUse, section: "sinks")
            ]
        }
        let assembly = Assembly(
            plugins: maker.plugins, dataDirectory: options.folder ?? DataDirectory(path: "/"),
            environment: maker.environment, clock: clock, log: log)
        do throws(ConfigurationError) {
            let sink = try assembly.sinks(configuration)[0]
            var sinkOptions = sink.options
            sinkOptions.buffer.bytes = Self.bufferBytes
            sinkOptions.buffer.whenFull = .block
            return Gateway.NamedSink(name: sink.name, sink: sink.sink, options: sinkOptions)
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }

    private func makeGateway(
        _ sink: Gateway.NamedSink, _ options: ReplayOptions, _ header: CaptureHeader,
        _ replayClock: ReplayClock
    ) throws(HostError) -> (Gateway, IngestPipeline) {
        let journal: Journal
        do {
            journal = try Journal(
                file: MemoryJournalFile(), sinks: [sink.journalSink], clock: clock, log: log)
        } catch {
            throw HostError(.failure, "\(error)")
        }
        let pipeline = IngestPipeline(
            bus: Bus(journal: journal, live: LiveLane()), clock: replayClock, people: People(),
            types: options.types,
            calendar: LocalCalendar { _ in header.utcOffsetSeconds }, version: header.version,
            earliest: header.earliest, log: log)
        let gateway = Gateway(
            sources: [], sinks: [sink], types: options.types, pipeline: pipeline,
            journal: journal, clock: clock, log: log, executor: executor)
        return (gateway, pipeline)
    }
}
