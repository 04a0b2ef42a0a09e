import GatewayCore
import GatewayHost
import Glibc
import JSON
import Platform
import SQLiteStore

/// Asks the sinks whether they could store records now.
struct SinksCheck: Sendable {
    /// The time, in seconds, that a server may take.
    private static let serverSeconds = 6.0
    /// The time, in seconds, that the check of a store may take.
    private static let storeSeconds = 30.0

    let folder: DataDirectory
    let clock: any GatewayClock

    /// What was found about one sink.
    enum Result: Sendable {
        case facts(SinkFacts)
        case flaw(ConfigurationFacts.Flaw)
        case nothing
    }

    /// The facts about all sinks, in their order.
    func results(
        _ sinks: [Gateway.NamedSink], _ components: [GatewayConfiguration.Component]
    ) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            for (index, sink) in sinks.enumerated() {
                let component = components.first { $0.name == sink.name }
                group.addTask { (index, await result(sink, component)) }
            }
            var results = [Result](repeating: .nothing, count: sinks.count)
            for await (index, result) in group { results[index] = result }
            return results
        }
    }

    private func result(
        _ sink: Gateway.NamedSink, _ component: GatewayConfiguration.Component?
    ) async -> Result {
        let path = component?.use == StoreSettings.use ? storePath(component) : nil
        if let path, Self.isNoFile(path) {
            return .facts(SinkFacts(name: sink.name, outcome: .noFile(path: path)))
        }
        if let flaw = path.flatMap(FileAccess.problem) {
            return .facts(
                SinkFacts(
                    name: sink.name, outcome: .noAccess(problem: flaw.problem, remedy: flaw.remedy))
            )
        }
        let check = sink.sink as? any SelfChecking
        let error = await Deadline(seconds: Self.storeSeconds, clock: clock).value(ofBlocking: {
            () -> ConfigurationError? in
            do throws(ConfigurationError) {
                try check?.check()
                return nil
            } catch {
                return error
            }
        })
        // What has not ended may be a large store on a slow disk.
        guard let error else { return .nothing }
        if let path {
            let outcome: SinkFacts.Outcome =
                error.map { .damaged(path: path, reason: $0.problem) }
                ?? .intact(path: path, exists: Folder.exists(path))
            return .facts(SinkFacts(name: sink.name, outcome: outcome))
        }
        if let error {
            return .flaw(
                ConfigurationFacts.Flaw(
                    name: sink.name, kind: .sinkUnusable, reason: "\(error)"))
        }
        return await connection(of: sink)
    }

    /// Whether there is something at the path that is no regular file.
    private static func isNoFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    private func storePath(_ component: GatewayConfiguration.Component?) -> String? {
        guard
            let object = try? component?.settings.object(
                keys: SinkOptions.keys + StoreSettings.keys),
            let settings = try? StoreSettings(object)
        else { return nil }
        return folder.resolve(settings.path)
    }

    private func connection(of sink: Gateway.NamedSink) async -> Result {
        guard let server = sink.sink as? any ConnectionChecking else {
            return .nothing
        }
        let outcome = await Deadline(seconds: Self.serverSeconds, clock: clock).value {
            () async -> SinkFacts.Outcome in
            do {
                try await server.checkConnection()
                return .accepts
            } catch SinkError.rejected {
                return .answers
            } catch let error as SinkError {
                return .refused(error)
            } catch {
                return .refused(.retry(reason: "\(error)", after: nil))
            }
        }
        return .facts(
            SinkFacts(name: sink.name, outcome: outcome ?? .silent(seconds: Self.serverSeconds)))
    }
}
