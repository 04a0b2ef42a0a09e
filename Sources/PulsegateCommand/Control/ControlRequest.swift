import GatewayCore
import HealthModel

/// What a client of the control socket asks for, one line of JSON each.
enum ControlRequest: Equatable, Sendable {
    /// How the gateway is doing: answered with one line.
    case status
    /// The records that are published from now on: answered with a line that says so, then with theirs.
    case tap(TapFilter)

    /// Read the configuration again: answered with one line when that is done.
    case reload
    /// Take a sample that somebody has entered: answered with one line when it is committed.
    case add(QuantitySample)
    /// Take records of a file, as those of a workout: answered with one line when they are committed.
    case take([Record])
    /// Something about somebody's workout: answered with one line; a watch goes on.
    case workout(WorkoutRequest)

    /// A longer line is refused.
    static let longestLine = 65_536
    /// So long the records of a request are together, with room for what else is in the line.
    private static let longestPart = longestLine - 1_024

    private static let words = ["status", "tap", "reload", "add", "take", "workout"]

    /// Reads a line; `people` and `types` are those which the gateway knows, and `wearers` have a workout.
    ///
    /// - Throws: ``ConfigurationError`` with what is wrong, for the client.
    init(
        line: some Collection<UInt8>, people: [String], wearers: [String] = [],
        types: QuantityTypes
    ) throws(ConfigurationError) {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw ConfigurationError(path: "", problem: "not UTF-8 text")
        }
        let root = ConfigurationNode(
            path: "", value: try ConfigurationValue(json5: text), types: types)
        if try Self.isWorkout(root) {
            let object = try root.object(keys: ["request"] + WorkoutRequest.keys)
            self = .workout(try WorkoutRequest(object, people: people, wearers: wearers))
            return
        }
        let object = try root.object(keys: ["request", "type", "person", "sample", "records"])
        let word = try object.require("request").choice(of: Self.words)
        if word == "take" {
            self = .take(try Self.records(object, people: people, types: types))
            return
        }
        if let surplus = object["records"] {
            throw surplus.error("a take has it, but `\(word)` does not")
        }
        if word == "add" {
            self = .add(try Self.sample(object, people: people, types: types))
            return
        }
        if let surplus = object["sample"] {
            throw surplus.error("an add has it, but `\(word)` does not")
        }
        let type = try object["type"].map { node throws(ConfigurationError) in
            try node.recordType(named: node.string())
        }
        let person = try object["person"]?.choice(of: people)
        if word == "tap" {
            self = .tap(TapFilter(type: type, person: person))
        } else if let surplus = object["type"] ?? object["person"] {
            throw surplus.error("a tap has it, but `\(word)` does not")
        } else {
            self = word == "reload" ? .reload : .status
        }
    }

    private static func isWorkout(_ root: ConfigurationNode) throws(ConfigurationError) -> Bool {
        let word = try root.entries().first { $0.key == "request" }?.node
        return try word?.string() == "workout"
    }

    /// The sample of an `add`; people who are not known have none.
    private static func sample(
        _ object: ConfigurationObject, people: [String], types: QuantityTypes
    ) throws(ConfigurationError) -> QuantitySample {
        if let surplus = object["type"] ?? object["person"] {
            throw surplus.error("the sample of an `add` has it")
        }
        let node = try object.require("sample")
        guard case .sample(let sample) = try record(node, people: people, types: types) else {
            throw node.error("is not a sample")
        }
        return sample
    }

    /// The records of a `take`.
    private static func records(
        _ object: ConfigurationObject, people: [String], types: QuantityTypes
    ) throws(ConfigurationError) -> [Record] {
        if let surplus = object["type"] ?? object["person"] ?? object["sample"] {
            throw surplus.error("the records of a `take` have it")
        }
        var records: [Record] = []
        for node in try object.require("records").array() {
            records.append(try record(node, people: people, types: types))
        }
        return records
    }

    /// A record that somebody has entered; people who are not known have none.
    private static func record(
        _ node: ConfigurationNode, people: [String], types: QuantityTypes
    ) throws(ConfigurationError) -> Record {
        var decoder = RecordDecoder(types: types)
        let record: Record
        do {
            record = try decoder.decode(Array(node.value.json.utf8))
        } catch {
            throw node.error("\(error)")
        }
        if let person = record.person, !people.contains(person) {
            throw node.error("`\(person)` is unknown; known: \(people.joined(separator: ", "))")
        }
        guard case .sample(let sample) = record else { return record }
        guard sample.type.isPlausible(sample.quantity) else {
            throw node.error("is none that \(sample.type.name) can be")
        }
        let length = sample.end.nanoseconds(since: sample.start)
        guard length <= EnteredSample.longestNanoseconds else {
            throw node.error("covers more than a year")
        }
        return record
    }

    /// The requests that bring records to a gateway, in their order.
    static func taking(_ records: [Record]) -> [ControlRequest] {
        var requests: [ControlRequest] = []
        var part: [Record] = []
        var length = 0
        for record in records {
            var line: [UInt8] = []
            RecordEncoder.append(record, to: &line)
            if length + line.count > longestPart, !part.isEmpty {
                requests.append(.take(part))
                (part, length) = ([], 0)
            }
            part.append(record)
            length += line.count + 1
        }
        return part.isEmpty ? requests : requests + [.take(part)]
    }

    /// The line, without its end.
    var line: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .status: json.field("request", "status")
            case .reload: json.field("request", "reload")
            case .add(let sample):
                json.field("request", "add")
                json.record("sample", .sample(sample))
            case .take(let records):
                json.field("request", "take")
                json.records("records", records)
            case .workout(let request):
                json.field("request", "workout")
                request.write(to: &json)
            case .tap(let filter):
                json.field("request", "tap")
                filter.write(to: &json)
            }
        }
        return json.bytes
    }
}

/// Which records a tap lets through.
struct TapFilter: Equatable, Sendable {
    /// Only records of this type; everything, device events too, when there is none.
    var type: RecordType?
    /// Only records of this person.
    var person: String?

    /// Whether a record is let through.
    func lets(_ record: Record) -> Bool {
        (type == nil || type == record.type) && (person == nil || person == record.person)
    }

    /// The lines of a batch that are let through.
    func lines(of batch: RecordBatch) -> [UInt8] {
        type == nil && person == nil ? batch.lines.bytes : batch.lines(where: lets).bytes
    }

    /// Writes the keys that are set.
    func write(to json: inout JSONWriter) {
        json.field("type", type?.name)
        json.field("person", person)
    }
}
