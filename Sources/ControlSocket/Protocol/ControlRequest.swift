package import GatewayHost
package import HealthModel
package import JSON

/// A request to a running gateway: one line of JSON.
package struct ControlRequest: Equatable, Sendable {
    /// A longer line is refused.
    package static let maximumLineLength = 65_536
    /// The length that the records of one request have together, with room for the rest of the line.
    private static let maximumPartLength = maximumLineLength - 1_024

    /// The line, without its line break.
    package let line: [UInt8]

    /// Makes a request of a name and its fields.
    package init(_ name: String, _ fields: (inout JSONWriter) -> Void = { _ in }) {
        var json = JSONWriter()
        json.object { json in
            json.field("request", name)
            fields(&json)
        }
        line = json.bytes
    }

    /// Makes a request of a handler and an object with its parameters.
    package init(_ handler: RequestHandler, _ parameters: JSONValue) {
        self.init(handler.name) { json in
            guard case .object(let fields) = parameters else { return }
            for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
                json.field(key) { $0 += value.json.utf8 }
            }
        }
    }

    /// The state of the gateway: answered with one line.
    package static let status = ControlRequest(RequestHandler.status.name)

    /// Read the configuration again: answered with one line when that is done.
    package static let reload = ControlRequest(RequestHandler.reload.name)

    /// The records that are published from now on: answered with a line that repeats the filter, then
    /// with theirs.
    package static func tap(_ filter: TapFilter) -> ControlRequest {
        ControlRequest(RequestHandler.tap.name) { filter.write(to: &$0) }
    }

    /// Store a sample that somebody has entered: answered with one line when it is committed, or when the
    /// store has it, if that is wanted.
    package static func add(
        _ sample: QuantitySample, waitingForStore: Bool = false
    ) -> ControlRequest {
        ControlRequest(RequestHandler.add.name) { json in
            json.record("sample", .sample(sample))
            json.field("waitForStore", waitingForStore ? true : nil)
        }
    }

    /// Store records of a file: several requests, in order, each answered when it is committed, and the
    /// last one when the store has all of them, if that is wanted.
    package static func ingest(
        _ records: [Record], waitingForStore: Bool = false
    ) -> [ControlRequest] {
        var requests: [ControlRequest] = []
        var part: [Record] = []
        var length = 0
        func flush(isLast: Bool = false) {
            guard !part.isEmpty else { return }
            requests.append(
                ControlRequest(RequestHandler.ingest.name) { json in
                    json.records("records", part)
                    json.field("waitForStore", isLast && waitingForStore ? true : nil)
                })
            (part, length) = ([], 0)
        }
        for record in records {
            var line: [UInt8] = []
            RecordEncoder.append(record, to: &line)
            if length + line.count > maximumPartLength { flush() }
            part.append(record)
            length += line.count + 1
        }
        flush(isLast: true)
        return requests
    }
}
