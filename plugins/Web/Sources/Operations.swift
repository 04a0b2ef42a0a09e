import JSON

/// The operations of the HTTP interface, version 1.
enum Operations {
    static let all: [Operation] = gateway + records + workout + access

    private static let person = Operation.Parameter(
        name: "person", kind: .text, meaning: "Only of this person.", example: .string("me"))
    private static let type = Operation.Parameter(
        name: "type", kind: .text, meaning: "The name of a type: `heartRate`.", isRequired: true,
        example: .string("heartRate"))

    private static let gateway = [
        Operation(
            id: "getStatus", method: "GET", path: ["v1", "status"],
            summary: "The state of the gateway, its devices and sinks, without health values.",
            request: "status"),
        Operation(
            id: "listPeople", method: "GET", path: ["v1", "people"],
            summary: "The people. Only for the owner.", request: "people"),
        Operation(
            id: "listDevices", method: "GET", path: ["v1", "devices"],
            summary: "The adopted and configured devices. Only for the owner.",
            request: "devices"),
        Operation(
            id: "getMetrics", method: "GET", path: ["metrics"],
            summary: "The state of the gateway as metrics for Prometheus.",
            request: "metrics", answer: .metrics),
    ]

    private static let records = [
        Operation(
            id: "follow", method: "GET", path: ["v1", "live"],
            summary: "The present state of people, then each change, as Server-Sent Events.",
            query: [person], request: "follow", answer: .events),
        Operation(
            id: "listSamples", method: "GET", path: ["v1", "samples"],
            summary: "Stored records of a type, oldest first.",
            query: [
                type, person,
                Operation.Parameter(
                    name: "from", kind: .time, meaning: "The first time.",
                    example: .string("2026-11-21T18:00:00Z")),
                Operation.Parameter(
                    name: "to", kind: .time, meaning: "The end, which is not included.",
                    example: .string("2026-11-22T18:00:00Z")),
                Operation.Parameter(
                    name: "device", kind: .text, meaning: "Only of this device."),
                Operation.Parameter(
                    name: "limit", kind: .integer(1...10_000),
                    meaning: "Only the newest ones, as many as this.",
                    example: .number(10)),
            ],
            request: "query", answer: .records),
        Operation(
            id: "addRecords", method: "POST", path: ["v1", "records"],
            summary: "Stores records that no source of the gateway has measured.",
            body: [
                Operation.Parameter(
                    name: "records", kind: .objects,
                    meaning: "The records, each with an `id` of the client.", isRequired: true),
                Operation.Parameter(
                    name: "waitForStore", kind: .boolean,
                    meaning: "Whether to answer when the store has them."),
            ],
            request: "ingest"),
    ]

    private static let workout = [
        Operation(
            id: "getWorkout", method: "GET", path: ["v1", "workout"],
            summary: "The workouts in progress, without a person, or that of a person.",
            query: [person], request: "workout", fixed: ["action": .string("status")]),
        Operation(
            id: "controlWorkout", method: "POST", path: ["v1", "workout", "{action}"],
            summary: "Starts, pauses, resumes, marks, stops or discards a workout.",
            pathParameters: [
                Operation.Parameter(
                    name: "action",
                    kind: .words(["start", "pause", "resume", "lap", "mark", "stop", "discard"]),
                    meaning: "What to do.", isRequired: true, example: .string("start"))
            ],
            body: [
                person,
                Operation.Parameter(
                    name: "activity", kind: .text,
                    meaning: "The activity, only for `start`: `running`."),
                Operation.Parameter(
                    name: "location", kind: .words(["unknown", "indoor", "outdoor"]),
                    meaning: "Where, only for `start`."),
                Operation.Parameter(
                    name: "plan", kind: .text,
                    meaning: "The text of a plan in JSON5, only for `start`."),
            ],
            request: "workout"),
    ]

    private static let access = [
        Operation(
            id: "getAccess", method: "GET", path: ["v1", "access"],
            summary: "What this client may read and store.", request: "access"),
        Operation(
            id: "requestAccess", method: "POST", path: ["v1", "access"],
            summary: "Asks the owner for access to types.",
            body: [
                Operation.Parameter(
                    name: "read", kind: .texts, meaning: "Types to read.",
                    example: .array([.string("heartRate")])),
                Operation.Parameter(name: "share", kind: .texts, meaning: "Types to store."),
                Operation.Parameter(
                    name: "purpose", kind: .text, meaning: "What for, in the words of the client.",
                    example: .string("the display in the hall")),
            ],
            request: "requestAccess"),
    ]
}
