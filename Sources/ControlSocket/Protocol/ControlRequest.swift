package import GatewayHost
package import HealthModel
package import JSON

/// A request to a running gateway: one line of JSON.
package struct ControlRequest: Equatable, Sendable {
    /// The maximum length of a request line, in bytes.
    package static let maximumLineLength = 65_536
    /// The maximum total length of the records in one request, in bytes.
    private static let maximumPartLength = maximumLineLength - 1_024

    /// The line, without its line break.
    package let line: [UInt8]

    /// Creates a request from its name and fields.
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

    /// Requests the status; the answer is one line.
    package static let status = ControlRequest(RequestHandler.status.name)

    /// Reloads the configuration; the answer is one line.
    package static let reload = ControlRequest(RequestHandler.reload.name)

    /// Forwards the deletions from the store to the other sinks.
    package static let forwardDeletions = ControlRequest(RequestHandler.forwardDeletions.name)

    /// Subscribes to records published from now on; the answer is a line that repeats the filter,
    /// then a line for each record.
    package static func tap(_ filter: TapFilter) -> ControlRequest {
        ControlRequest(RequestHandler.tap.name) { filter.write(to: &$0) }
    }

    /// Stores a manually entered sample; the answer is one line.
    ///
    /// - Parameter waitingForStore: Whether to answer when the sample is in the store, not when it
    /// is
    ///   committed to the journal.
    package static func add(
        _ sample: QuantitySample, waitingForStore: Bool = false
    ) -> ControlRequest {
        ControlRequest(RequestHandler.add.name) { json in
            json.record("sample", .sample(sample))
            json.field("waitForStore", waitingForStore ? true : nil)
        }
    }

    /// Waits until the store has all records accepted so far; the answer is one line.
    package static let waitForStore = ControlRequest(RequestHandler.ingest.name) { json in
        json.records("records", [])
        json.field("waitForStore", true)
    }

    /// Lets the store have what its sink collects; the answer is one line.
    package static let refresh = ControlRequest(RequestHandler.refresh.name)

    /// Stores imported records with several requests in order; the answer to each is one line.
    ///
    /// - Parameter waitingForStore: Whether the last answer waits until the store has all records.
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
