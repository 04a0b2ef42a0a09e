import JSON

/// The description of the interface, made of the table of operations (OpenAPI 3.1).
enum InterfaceDescription {
    /// The document.
    static func json(version: String) -> [UInt8] {
        Array(document(version: version).json.utf8)
    }

    private static func document(version: String) -> JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for operation in Operations.all {
            paths[operation.pathText, default: [:]][operation.method.lowercased()] = value(
                operation)
        }
        return .object([
            "openapi": .string("3.1.0"),
            "info": .object([
                "title": .string("Pulsegate"), "version": .string(version),
                "description": .string(
                    "A gateway that reads body sensors. Times are in UTC as in RFC 3339."),
            ]),
            "paths": .object(paths.mapValues(JSONValue.object)),
            "security": .array([.object(["token": .array([])]), .object([:])]),
            "components": .object([
                "securitySchemes": .object([
                    "token": .object([
                        "type": .string("http"), "scheme": .string("bearer"),
                    ])
                ]),
                "schemas": .object(["Problem": problem]),
            ]),
        ])
    }

    private static let problem = JSONValue.object([
        "type": .string("object"),
        "required": .array(["title", "status", "detail"].map(JSONValue.string)),
        "properties": .object([
            "type": text, "title": text, "status": .object(["type": .string("integer")]),
            "detail": text, "code": text, "key": text,
        ]),
    ])

    private static let text = JSONValue.object(["type": .string("string")])
    private static let object = JSONValue.object(["type": .string("object")])

    /// One event of a stream; its data is JSON as text.
    private static let event = JSONValue.object([
        "type": .string("object"), "required": .array([.string("data")]),
        "properties": .object([
            "event": .object([
                "type": .string("string"),
                "enum": .array(["state", "person", "gap", "end"].map(JSONValue.string)),
            ]),
            "id": text, "data": text,
        ]),
    ])

    /// A list of records; an error that comes after the first of them is in it.
    private static func list(_ key: String) -> JSONValue {
        .object([
            "type": .string("object"), "required": .array([.string(key)]),
            "properties": .object([
                key: .object(["type": .string("array"), "items": object]), "error": text,
            ]),
        ])
    }

    private static let binary = JSONValue.object([
        "type": .string("string"), "format": .string("binary"),
    ])

    private static func value(_ operation: Operation) -> JSONValue {
        var object: [String: JSONValue] = [
            "operationId": .string(operation.id), "summary": .string(operation.summary),
            "responses": .object(responses(of: operation)),
        ]
        let parameters =
            operation.pathParameters.map { value($0, in: "path") }
            + operation.query.map { value($0, in: "query") }
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        if let keys = operation.body { object["requestBody"] = content(keys) }
        if operation.isUpload { object["requestBody"] = file }
        return .object(object)
    }

    private static func value(_ parameter: Operation.Parameter, in place: String) -> JSONValue {
        var object: [String: JSONValue] = [
            "name": .string(parameter.name), "in": .string(place),
            "description": .string(parameter.meaning), "required": .boolean(parameter.isRequired),
            "schema": schema(parameter.kind),
        ]
        object["example"] = parameter.example
        return .object(object)
    }

    private static func content(_ keys: [Operation.Parameter]) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        for key in keys { properties[key.name] = schema(key.kind) }
        return .object([
            "content": .object([
                "application/json": .object([
                    "schema": .object([
                        "type": .string("object"), "properties": .object(properties),
                        "required": .array(
                            keys.filter(\.isRequired).map { .string($0.name) }),
                        "additionalProperties": .boolean(false),
                    ])
                ])
            ])
        ])
    }

    private static let file = JSONValue.object([
        "required": .boolean(true),
        "content": .object([UploadedContent.type: .object(["schema": binary])]),
    ])

    private static func schema(_ kind: Operation.Parameter.Kind) -> JSONValue {
        switch kind {
        case .text: .object(["type": .string("string"), "minLength": .number(1)])
        case .words(let words):
            .object(["type": .string("string"), "enum": .array(words.map(JSONValue.string))])
        case .time: .object(["type": .string("string"), "format": .string("date-time")])
        case .date: .object(["type": .string("string"), "format": .string("date")])
        case .integer(let range):
            .object([
                "type": .string("integer"), "minimum": .number(Double(range.lowerBound)),
                "maximum": .number(Double(range.upperBound)),
            ])
        case .boolean: .object(["type": .string("boolean")])
        case .texts: .object(["type": .string("array"), "items": text])
        case .object: object
        case .objects: .object(["type": .string("array"), "items": object])
        }
    }

    private static func responses(of operation: Operation) -> [String: JSONValue] {
        let (type, schema) =
            switch operation.answer {
            case .object: ("application/json", object)
            case .list(let key, _): ("application/json", list(key))
            case .file: ("application/octet-stream", binary)
            case .metrics: ("text/plain", text)
            case .events: ("text/event-stream", event)
            }
        var responses: [String: JSONValue] = [
            "200": .object([
                "description": .string("The answer."),
                "content": .object([type: .object(["schema": schema])]),
            ])
        ]
        for (status, meaning) in errors(of: operation) {
            var response: [String: JSONValue] = [
                "description": .string(meaning),
                "content": .object([
                    Problem.contentType: .object([
                        "schema": .object(["$ref": .string("#/components/schemas/Problem")])
                    ])
                ]),
            ]
            if status == 503 { response["headers"] = .object(["Retry-After": retryAfter]) }
            responses["\(status)"] = .object(response)
        }
        return responses
    }

    private static let retryAfter = JSONValue.object([
        "description": .string("When to try again, in seconds."),
        "schema": .object(["type": .string("integer")]),
    ])

    private static func errors(of operation: Operation) -> [(Int, String)] {
        let content = [
            (413, "The content is too long."), (415, "The content has another type."),
        ]
        return [
            (400, "A parameter or the content is wrong."), (401, "A token is missing or wrong."),
            (403, "The owner has not granted this."), (404, "There is none with this id."),
            (409, "It cannot be done in the present state."),
            (410, "The anchor is no longer valid; begin without one."),
            (414, "The address is too long."),
            (421, "The name in the header Host is not one of this server."),
            (431, "The headers are too long."),
            (500, "The gateway cannot do it, such as with a damaged store."),
            (503, "The gateway is stopping or has no place, or something else uses the store."),
            (507, "There is no space left on the disk of the gateway."),
        ] + (operation.body == nil && !operation.isUpload ? [] : content)
    }
}
