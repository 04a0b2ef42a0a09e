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

    /// A longer line is refused.
    static let longestLine = 65_536

    private static let words = ["status", "tap", "reload", "add"]

    /// Reads a line; `people` and `types` are those which the gateway knows.
    ///
    /// - Throws: ``ConfigurationError`` with what is wrong, for the client.
    init(line: some Collection<UInt8>, people: [String], types: QuantityTypes)
        throws(ConfigurationError)
    {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw ConfigurationError(path: "", problem: "not UTF-8 text")
        }
        let root = ConfigurationNode(
            path: "", value: try ConfigurationValue(json5: text), types: types)
        let object = try root.object(keys: ["request", "type", "person", "sample"])
        let word = try object.require("request").choice(of: Self.words)
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

    /// The sample of an `add`; people who are not known have none.
    private static func sample(
        _ object: ConfigurationObject, people: [String], types: QuantityTypes
    ) throws(ConfigurationError) -> QuantitySample {
        if let surplus = object["type"] ?? object["person"] {
            throw surplus.error("the sample of an `add` has it")
        }
        let node = try object.require("sample")
        var decoder = RecordDecoder(types: types)
        let record: Record
        do {
            record = try decoder.decode(Array(node.value.json.utf8))
        } catch {
            throw node.error("\(error)")
        }
        guard case .sample(let sample) = record else { throw node.error("is not a sample") }
        if let person = sample.person, !people.contains(person) {
            throw node.error("`\(person)` is unknown; known: \(people.joined(separator: ", "))")
        }
        guard sample.type.isPlausible(sample.quantity) else {
            throw node.error("is none that \(sample.type.name) can be")
        }
        let length = sample.end.nanoseconds(since: sample.start)
        guard length <= EnteredSample.longestNanoseconds else {
            throw node.error("covers more than a year")
        }
        return sample
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
