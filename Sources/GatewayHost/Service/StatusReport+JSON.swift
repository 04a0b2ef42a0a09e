import GatewayCore
import HealthModel
import JSON
import Platform
import Readings

extension StatusReport {
    /// The report as a JSON object on one line.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("v", Self.format)
            json.field("version", version)
            json.field("pid", processID)
            json.field("started", started?.description)
            json.field("uptimeSeconds", uptimeSeconds)
            json.field("dataDirectory", dataDirectory)
            json.objects("devices", devices) { $0.write(to: &$1) }
            json.objects("sources", sources) { $0.write(to: &$1) }
            json.objects("sinks", sinks) { $0.write(to: &$1, counting: countsRecords) }
            json.objects("services", services) { $0.write(to: &$1) }
            json.object("journal") { journal.write(to: &$0, counting: countsRecords) }
            if countsRecords { json.object("ledger") { ledger.write(to: &$0) } }
            json.object("clock") { clock.write(to: &$0, counting: countsRecords) }
            json.object("clients") { clients.write(to: &$0) }
            if let usage {
                json.object("usage") { json in
                    json.field("cpuSeconds", usage.cpuSeconds)
                    json.field("residentBytes", usage.residentBytes)
                    json.field("openDescriptors", usage.openDescriptors)
                }
            }
        }
        return json.bytes
    }
}

extension StatusReport.Device {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("device", identifier)
        json.field("name", name)
        json.field("manufacturer", manufacturer)
        json.field("model", model)
        json.field("source", source)
        json.field("person", person)
        json.field("link", link)
        json.field("reason", reason)
        json.field("contact", contact)
        json.field("battery", battery)
        json.field("lastSeen", lastSeen?.description)
        json.field("silentSeconds", silentSeconds)
        if let records { json.field("records", records) }
        json.object("discarded") { $0.fields(discarded) }
        json.objects("faults", faults) { $0.write(to: &$1) }
    }
}

extension StatusReport.Faults {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("type", type)
        json.field("reason", reason)
        json.field("count", count)
    }
}

extension StatusReport.Part {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("name", name)
        json.field("healthy", failure == nil)
        json.field("reason", failure)
        json.field("address", address)
        if !discarded.isEmpty { json.object("discarded") { $0.fields(discarded) } }
    }
}

extension JSONWriter {
    /// Writes counts by reason.
    fileprivate mutating func fields(_ counts: [String: Int64]) {
        for (reason, count) in counts.sorted(by: { $0.key < $1.key }) { field(reason, count) }
    }
}

extension StatusReport.Sink {
    fileprivate func write(to json: inout JSONWriter, counting counts: Bool) {
        part.write(to: &json)
        if counts { writeCounts(to: &json) }
        json.field("failingSeconds", failingSeconds)
        json.field("writingSeconds", writingSeconds)
        json.field("retryInSeconds", retryInSeconds)
        guard counts else { return }
        json.field("unverified", unverified)
        if let restored { json.object("restored") { restored.write(to: &$0) } }
    }

    private func writeCounts(to json: inout JSONWriter) {
        json.field("cursor", cursor)
        json.field("pending", pending)
        json.field("filtered", outcome.filtered)
        json.field("delivered", outcome.delivered)
        json.field("rejected", outcome.rejected)
        json.field("dropped", outcome.dropped)
        json.field("lost", outcome.lost)
        json.field("lagBytes", lagBytes)
        json.field("lagSeconds", lagSeconds)
    }
}

extension StatusReport.Restored {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("records", records)
        json.field("lost", lost)
        json.field("onlyInEarlier", onlyInEarlier)
    }
}

extension StatusReport.Journal {
    fileprivate func write(to json: inout JSONWriter, counting counts: Bool) {
        json.field("healthy", failure == nil)
        json.field("reason", failure)
        if counts {
            json.field("waiting", waiting)
            json.field("bytes", bytes)
        }
        json.field("inMemory", isInMemory)
        json.field("diskFull", isDiskFull)
        json.field("damage", damage)
    }
}

extension StatusReport.Clock {
    fileprivate func write(to json: inout JSONWriter, counting counts: Bool) {
        json.field("state", state)
        json.field("synchronized", isSynchronized)
        if counts { json.field("waiting", waiting) }
    }
}

extension StatusReport.Ledger {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("converted", ingest.converted)
        for fault in ReadingFault.allCases { json.field(fault.rawValue, ingest[fault]) }
        json.field("unaccepted", ingest.unaccepted)
        json.field("published", ingest.published)
        json.field("balanced", imbalances.isEmpty)
        json.strings("imbalances", imbalances)
    }
}

extension StatusReport.Clients {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("connected", Int64(connected))
        json.field("refused", Int64(refused))
        json.field("cutOff", Int64(cutOff))
    }
}
