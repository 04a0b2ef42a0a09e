import GatewayCore
import HealthModel
package import JSON
import Platform
import Readings

/// Reads the report of a gateway, possibly of another version: unknown keys are skipped, and the values of
/// missing keys are unknown.
extension StatusReport {
    /// Reads the report from a line of JSON.
    ///
    /// - Throws: ``JSONError`` when a value has the wrong kind.
    package init(line: some Collection<UInt8>) throws(JSONError) {
        let answer = try JSONValue(json5: String(decoding: line, as: UTF8.self))
        let fields = try DocumentFields(DocumentNode(path: "", value: answer))
        version = try fields.text("version") ?? ""
        processID = try fields.count("pid")
        started = try fields.time("started")
        uptimeSeconds = try fields.number("uptimeSeconds") ?? 0
        dataDirectory = try fields.text("dataDirectory") ?? ""
        devices = try fields.objects("devices", Device.init)
        sources = try fields.objects("sources", Part.init)
        sinks = try fields.objects("sinks", Sink.init)
        services = try fields.objects("services", Part.init)
        journal = try fields.object("journal", Journal.init) ?? Journal()
        ledger = try fields.object("ledger", Ledger.init) ?? Ledger()
        clock = try fields.object("clock", Clock.init) ?? Clock()
        clients = try fields.object("clients", StatusReport.Clients.init) ?? .init()
        usage = try fields.object("usage") { fields throws(JSONError) in
            ProcessUsage(
                cpuSeconds: try fields.number("cpuSeconds") ?? 0,
                residentBytes: try fields.count("residentBytes"),
                openDescriptors: try fields.count("openDescriptors"))
        }
        // A gateway leaves out all counts together.
        if !fields.has("ledger") { self = withoutCounts }
    }
}

extension StatusReport.Device {
    fileprivate init(_ fields: DocumentFields) throws(JSONError) {
        identifier = try fields.text("device") ?? ""
        name = try fields.text("name")
        manufacturer = try fields.text("manufacturer")
        model = try fields.text("model")
        source = try fields.text("source") ?? ""
        person = try fields.text("person")
        link = try fields.text("link") ?? ""
        reason = try fields.text("reason")
        contact = try fields.flag("contact")
        battery = try fields.number("battery")
        lastSeen = try fields.time("lastSeen")
        silentSeconds = try fields.number("silentSeconds")
        records = fields.has("records") ? try fields.count("records") : nil
        discarded = try fields.counts("discarded")
        faults = try fields.objects("faults", StatusReport.Faults.init)
    }
}

extension StatusReport.Faults {
    fileprivate init(_ fields: DocumentFields) throws(JSONError) {
        type = try fields.text("type") ?? ""
        reason = try fields.text("reason") ?? ""
        count = try fields.count("count")
    }
}

extension StatusReport.Part {
    fileprivate init(_ fields: DocumentFields) throws(JSONError) {
        name = try fields.text("name") ?? ""
        failure = try fields.text("reason")
        address = try fields.text("address")
        discarded = try fields.counts("discarded")
    }
}

extension StatusReport.Sink {
    fileprivate init(_ fields: DocumentFields) throws(JSONError) {
        part = try StatusReport.Part(fields)
        cursor = try fields.count("cursor")
        pending = try fields.count("pending")
        outcome.filtered = try fields.count("filtered")
        outcome.delivered = try fields.count("delivered")
        outcome.rejected = try fields.count("rejected")
        outcome.dropped = try fields.count("dropped")
        outcome.lost = try fields.count("lost")
        lagBytes = try fields.count("lagBytes")
        lagSeconds = try fields.number("lagSeconds")
        failingSeconds = try fields.number("failingSeconds")
        retryInSeconds = try fields.number("retryInSeconds")
        writingSeconds = try fields.number("writingSeconds")
        unverified = try fields.count("unverified")
        restored = try fields.object("restored", StatusReport.Restored.init)
    }
}

extension StatusReport.Restored {
    fileprivate init(_ fields: DocumentFields) throws(JSONError) {
        records = try fields.count("records")
        lost = try fields.count("lost")
        onlyInEarlier = try fields.count("onlyInEarlier")
    }
}

extension StatusReport.Journal {
    fileprivate init(_ fields: DocumentFields) throws(JSONError) {
        failure = try fields.text("reason")
        waiting = try fields.count("waiting")
        bytes = try fields.count("bytes")
        isInMemory = try fields.flag("inMemory") ?? false
        isDiskFull = try fields.flag("diskFull") ?? false
        damage = try fields.text("damage")
    }
}

extension StatusReport.Clock {
    fileprivate init(_ fields: DocumentFields) throws(JSONError) {
        state = try fields.text("state") ?? ""
        isSynchronized = try fields.flag("synchronized")
        waiting = try fields.count("waiting")
    }
}

extension StatusReport.Ledger {
    fileprivate init(_ fields: DocumentFields) throws(JSONError) {
        ingest.converted = try fields.count("converted")
        for fault in ReadingFault.allCases { ingest[fault] = try fields.count(fault.rawValue) }
        ingest.unaccepted = try fields.count("unaccepted")
        ingest.published = try fields.count("published")
        imbalances = try fields.texts("imbalances")
    }
}

extension StatusReport.Clients {
    fileprivate init(_ fields: DocumentFields) throws(JSONError) {
        connected = Int(try fields.count("connected"))
        refused = Int(try fields.count("refused"))
        cutOff = Int(try fields.count("cutOff"))
    }
}
