package import GatewayCore
package import HealthModel
package import JSON

extension RequestHandler {
    /// `tap`: answered with a line that repeats the filter, then with the records that are published.
    package static let tap = RequestHandler("tap", for: .everyone) {
        request, service, channel in
        let object = try request.node.knowing(await service.types())
            .object(keys: ["request", "type", "person"])
        let type = try object["type"].map { node throws(ConfigurationError) in
            try node.recordType(named: node.string())
        }
        try service.check(channel.client, tapping: type)
        // To another user an unknown person is one without records.
        let names = await service.peopleNames()
        let person = try object["person"].map { node throws(ConfigurationError) in
            channel.client.isOwner ? try node.person(of: names) : try node.string()
        }
        return start(TapFilter(type: type, person: person), service, channel)
    }

    /// Subscribes before the first line is sent, so that no record published after it is missing.
    private static func start(
        _ filter: TapFilter, _ service: GatewayService, _ channel: any ResponseChannel
    ) -> (any ResponseStream)? {
        var stream: Tap?
        channel.send(JSONLine.make { $0.object("tap") { filter.write(to: &$0) } }) {
            let subscription = service.live.subscribe { batch in
                channel.send(service.lines(of: batch, filter, for: channel.client))
            }
            channel.endStream(tap.name)
            stream = Tap(live: service.live, subscription: subscription)
        }
        return stream
    }

    private struct Tap: ResponseStream {
        let live: LiveLane
        let subscription: CallbackSubscription

        func cancel() { live.cancel(subscription) }
    }
}

/// A filter for the records of a tap.
package struct TapFilter: Equatable, Sendable {
    /// Only records of this type; nil for all records and device events.
    package var type: RecordType?
    /// Only records of this person; nil for all people.
    package var person: String?

    /// Creates a filter.
    package init(type: RecordType? = nil, person: String? = nil) {
        self.type = type
        self.person = person
    }

    /// Whether a record matches.
    package func matches(_ record: Record) -> Bool {
        (type == nil || type == record.type) && (person == nil || person == record.person)
    }

    /// The lines of the records of a batch that match.
    package func lines(of batch: RecordBatch) -> [UInt8] {
        type == nil && person == nil ? batch.lines.bytes : batch.lines(where: matches).bytes
    }

    /// Writes the keys that are set.
    package func write(to json: inout JSONWriter) {
        json.field("type", type?.name)
        json.field("person", person)
    }
}
