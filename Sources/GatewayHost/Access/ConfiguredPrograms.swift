package import GatewayCore
import HealthModel

/// Programs that get records as sinks of the configuration, in the table of access.
///
/// The configuration grants them everything, and the table takes types away: it is the owner who wrote the
/// configuration, and a program needs no second permission before it works.
extension AccessEntry {
    /// The entries of a table, with those of the programs that are sinks of these names.
    package static func entries(
        _ table: [AccessEntry], withProgramsOfSinks names: [String]
    ) -> [AccessEntry] {
        let programs = names.map { name in
            let id = ClientID(programOfSink: name)
            var entry = table.first { $0.client == id } ?? AccessEntry(id)
            entry.purpose = "sink \(name) of the configuration"
            return entry.configured
        }
        let others = table.filter { entry in !programs.contains { $0.client == entry.client } }
        return (others + programs).sorted { $0.client < $1.client }
    }

    /// The entry of a program: what the table does not deny is granted.
    var configured: AccessEntry {
        var entry = self
        if entry.read.others == nil { entry.read.grantOthers() }
        return entry
    }
}

extension AccessControl {
    /// What decides at each moment which records the program of a sink gets.
    ///
    /// It throws while the table cannot be read: then the records wait.
    func permission(ofProgram id: ClientID) -> RecordPermission {
        { () throws -> (@Sendable (Record) -> Bool)? in
            let read = try self.entry(of: id).configured.read
            guard !read.isEverything else { return nil }
            return { @Sendable (record: Record) -> Bool in read.permits(record) }
        }
    }
}

extension Gateway.Parts {
    /// The parts, with the sinks that are programs limited by the table.
    func limited(by access: AccessControl) -> Gateway.Parts {
        var parts = self
        parts.sinks = parts.sinks.limited(by: access)
        return parts
    }
}

extension [Gateway.NamedSink] {
    /// The sinks; those that are programs get what the table does not deny.
    func limited(by access: AccessControl) -> [Gateway.NamedSink] {
        access.know(programsOfSinks: filter(\.isProgram).map(\.name))
        return map { sink in
            guard sink.isProgram else { return sink }
            var sink = sink
            sink.permission = access.permission(ofProgram: ClientID(programOfSink: sink.name))
            return sink
        }
    }
}

extension Plugins {
    /// The names of the sinks of a configuration that are programs.
    package func programs(in configuration: GatewayConfiguration) -> [String] {
        let uses = sinks.filter(\.isProgram).map(\.use)
        return (configuration.sinks ?? []).filter { uses.contains($0.use) }.map(\.name)
    }
}
