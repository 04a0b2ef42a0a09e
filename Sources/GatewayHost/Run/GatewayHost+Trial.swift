package import GatewayCore
import HealthModel
import Platform
import Readings
import Synchronization

/// A run of a few sources and sinks for a short time, with a journal in memory.
///
/// It shows an author what the gateway makes of a program or plugin.
package struct Trial: Sendable {
    /// The number of records that were published, by type; events count as `event`.
    package let counts: [String: Int]
    /// The ledger at the end.
    package let ledger: Ledger
    /// The status before the stop.
    package let status: GatewayStatus
}

extension GatewayHost {
    /// Runs the sources and sinks of a configuration for some seconds, or until `stop`.
    ///
    /// - Parameter directory: The working directory of programs, in which nothing is created.
    package func tryOut(
        _ configuration: GatewayConfiguration, in directory: DataDirectory, seconds: Double,
        until stop: StopSignal
    ) async throws(HostError) -> Trial {
        let counter = RecordCounter()
        let gateway = try makeTrial(configuration, in: directory, counter)
        let status = Mutex<GatewayStatus?>(nil)
        let ledger = await gateway.run { [clock] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await stop.wait() }
                group.addTask { try? await clock.sleep(seconds: seconds) }
                await group.next()
                group.cancelAll()
            }
            let last = await gateway.status()
            status.withLock { $0 = last }
        }
        guard let last = status.withLock({ $0 }) else {
            throw HostError(.failure, "the trial ended before it began")
        }
        return Trial(counts: await counter.counts, ledger: ledger, status: last)
    }

    private func makeTrial(
        _ configuration: GatewayConfiguration, in directory: DataDirectory,
        _ counter: RecordCounter
    ) throws(HostError) -> Gateway {
        let assembly = Assembly(
            plugins: maker.plugins, dataDirectory: directory, environment: maker.environment,
            clock: clock, log: log)
        do {
            let sources = try assembly.sources(configuration)
            // Without sinks, the records are only counted.
            let hasSinks = configuration.sinks?.isEmpty == false
            var sinks = hasSinks ? try assembly.sinks(configuration) : []
            let components: [any Sendable] = sources.map(\.source) + sinks.map(\.sink)
            for component in components {
                try (component as? any SelfChecking)?.check()
            }
            sinks.append(Gateway.NamedSink(name: "check", sink: counter))
            let journal = try Journal(
                file: MemoryJournalFile(), sinks: sinks.map(\.journalSink), clock: clock, log: log)
            let pipeline = IngestPipeline(
                bus: Bus(journal: journal, live: LiveLane()), clock: clock, people: People(),
                types: configuration.types, version: Version.current, log: log)
            return Gateway(
                sources: sources, sinks: sinks, types: configuration.types, pipeline: pipeline,
                journal: journal, clock: clock, log: log, executor: executor)
        } catch let error as ConfigurationError {
            throw HostError(.configuration, "\(error)")
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }
}

/// A sink that counts records by type.
private actor RecordCounter: Sink {
    private(set) var counts: [String: Int] = [:]

    func write(_ batch: [Record]) async throws {
        for record in batch { counts[record.type?.name ?? "event", default: 0] += 1 }
    }
}
