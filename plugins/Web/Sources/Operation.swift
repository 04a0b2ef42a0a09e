import JSON

/// An operation of the HTTP interface: how a request becomes one of the gateway, and what it is answered with.
///
/// The table of all operations is the interface; its description is made of it.
struct Operation: Sendable {
    /// A parameter of the path or the query, or a key of the content.
    struct Parameter: Sendable {
        /// The kinds of values.
        enum Kind: Equatable, Sendable {
            case text
            case words([String])
            case time
            case date
            case integer(ClosedRange<Int>)
            case boolean
            case texts
            case object
            case objects
        }

        let name: String
        let kind: Kind
        let meaning: String
        var isRequired = false
        var example: JSONValue?
    }

    /// What a request is answered with.
    enum Answer: Equatable, Sendable {
        /// The object of the gateway's answer.
        case object
        /// A list of the lines before the last one, which is an object with the key `end`.
        case list(key: String, end: String)
        /// The content of a file.
        case file
        /// Text in a key of the gateway's answer, in the format that the request accepts.
        case metrics
        /// Server-Sent Events.
        case events

        /// Whether it is read from the store and sent in pieces.
        var isLong: Bool {
            switch self {
            case .list, .file: true
            case .object, .metrics, .events: false
            }
        }
    }

    /// The name in the description: `listPeople`.
    let id: String
    let method: String
    /// The segments of the path; a parameter in braces.
    let path: [String]
    let summary: String
    var pathParameters: [Parameter] = []
    var query: [Parameter] = []
    /// The keys of the content; nil for an operation without content.
    var body: [Parameter]?
    /// Whether the content is a file, which is received piece by piece.
    var isUpload = false
    /// The name of the request to the gateway.
    let request: String
    /// What the request to the gateway always has.
    var fixed: [String: JSONValue] = [:]
    var answer = Answer.object

    /// The path as text: `/v1/workout/{action}`.
    var pathText: String { "/" + path.joined(separator: "/") }

    /// The values of the path's parameters; nil when the path is another one.
    func match(_ segments: [String]) -> [String: String]? {
        guard segments.count == path.count else { return nil }
        var values: [String: String] = [:]
        for (own, segment) in zip(path, segments) {
            if own.hasPrefix("{") {
                values[String(own.dropFirst().dropLast())] = segment
            } else if own != segment {
                return nil
            }
        }
        return values
    }
}

extension Operation {
    /// Makes the request to the gateway.
    ///
    /// - Parameters:
    ///   - values: The values of the path's parameters.
    ///   - query: The parameters of the query, without a token.
    ///   - body: The content of the request.
    ///   - further: What else the request to the gateway has.
    func makeRequest(
        _ values: [String: String], _ query: [(name: String, value: String)], _ body: [UInt8],
        adding further: [String: JSONValue] = [:]
    ) throws(Problem) -> [UInt8] {
        var fields: [String: JSONValue] = [:]
        for parameter in pathParameters {
            fields[parameter.name] = try parameter.value(values[parameter.name] ?? "")
        }
        for (name, value) in query {
            guard let parameter = self.query.first(where: { $0.name == name }) else {
                throw Self.unknown(name, known: self.query)
            }
            guard fields[name] == nil else {
                throw Problem(status: 400, detail: "It is given twice.", key: name)
            }
            fields[name] = try parameter.value(value)
        }
        for parameter in self.query where parameter.isRequired && fields[parameter.name] == nil {
            throw Problem(status: 400, detail: "It is required.", key: parameter.name)
        }
        if let keys = self.body { try read(body, keys, into: &fields) }
        fields.merge(fixed.merging(further) { $1 }) { $1 }
        fields["request"] = .string(request)
        return Array(JSONValue.object(fields).json.utf8)
    }

    private func read(
        _ body: [UInt8], _ keys: [Parameter], into fields: inout [String: JSONValue]
    ) throws(Problem) {
        for (name, value) in body.isEmpty ? [:] : try Self.members(of: body) {
            guard keys.contains(where: { $0.name == name }) else {
                throw Self.unknown(name, known: keys)
            }
            fields[name] = value
        }
        for key in keys where key.isRequired && fields[key.name] == nil {
            throw Problem(status: 400, detail: "It is required.", key: key.name)
        }
    }

    private static func members(of body: [UInt8]) throws(Problem) -> [String: JSONValue] {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw Problem(status: 400, detail: "The content is not UTF-8 text.")
        }
        let value: JSONValue
        do { value = try JSONValue(json5: text) } catch {
            throw Problem(status: 400, detail: "The content is not JSON: \(error)")
        }
        guard case .object(let object) = value else {
            throw Problem(status: 400, detail: "The content must be an object.")
        }
        return object
    }

    private static func unknown(_ name: String, known: [Parameter]) -> Problem {
        Problem(
            status: 400,
            detail: known.isEmpty
                ? "unknown; there is none here"
                : "unknown; " + Suggestion.message(unknown: name, known: known.map(\.name)),
            key: name)
    }
}

extension Operation.Parameter {
    /// The value in a request to the gateway.
    fileprivate func value(_ text: String) throws(Problem) -> JSONValue {
        switch kind {
        case .integer(let range):
            guard let number = Int(text), range.contains(number) else {
                throw Problem(
                    status: 400,
                    detail:
                        "must be a whole number from \(range.lowerBound) to \(range.upperBound)",
                    key: name)
            }
            return .number(Double(number))
        case .boolean:
            guard let value = Bool(text) else {
                throw Problem(status: 400, detail: "must be true or false", key: name)
            }
            return .boolean(value)
        case .texts: return .array(text.split(separator: ",").map { .string(String($0)) })
        case .words(let words):
            guard words.contains(text) else {
                throw Problem(
                    status: 400, detail: "must be one of \(words.joined(separator: ", "))",
                    key: name)
            }
            return .string(text)
        case .text, .time, .date, .object, .objects: return .string(text)
        }
    }
}
