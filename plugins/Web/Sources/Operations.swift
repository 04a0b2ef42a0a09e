import JSON

/// The operations of the HTTP interface, version 1.
enum Operations {
    static let all: [Operation] = gateway + records + stored + imports + workout + access

    private static let person = Operation.Parameter(
        name: "person", kind: .text, meaning: "Only of this person.", example: .string("me"))
    private static let type = Operation.Parameter(
        name: "type", kind: .text, meaning: "The name of a type: `heartRate`.", isRequired: true,
        example: .string("heartRate"))
    private static let from = Operation.Parameter(
        name: "from", kind: .time, meaning: "The first time.",
        example: .string("2026-11-21T18:00:00Z"))
    private static let to = Operation.Parameter(
        name: "to", kind: .time, meaning: "The end, which is not included.",
        example: .string("2026-11-22T18:00:00Z"))
    private static let device = Operation.Parameter(
        name: "device", kind: .text, meaning: "Only of this device.")
    private static let workoutID = Operation.Parameter(
        name: "id", kind: .text, meaning: "The id of the workout.", isRequired: true,
        example: .string("0198f3c2-0000-8000-8000-000000000001"))

    private static let gateway = [
        Operation(
            id: "getStatus", method: "GET", path: ["v1", "status"],
            summary: "The state of the gateway, its devices and sinks, without health values.",
            request: "status"),
        Operation(
            id: "listPeople", method: "GET", path: ["v1", "people"],
            summary: "The people. Only for who may change them.", request: "people"),
        Operation(
            id: "listDevices", method: "GET", path: ["v1", "devices"],
            summary: "The adopted and configured devices. Only for who may change them.",
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
                type, person, from, to, device,
                Operation.Parameter(
                    name: "limit", kind: .integer(1...10_000),
                    meaning: "Only the newest ones, as many as this.",
                    example: .number(10)),
            ],
            request: "query", answer: .list(key: "records", end: "query")),
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

    private static let stored = [
        Operation(
            id: "listTypes", method: "GET", path: ["v1", "types"],
            summary: "The types of records, with unit and style.", request: "types"),
        Operation(
            id: "getStatistics", method: "GET", path: ["v1", "statistics"],
            summary: "Statistics of a quantity type, for each step of the local calendar.",
            query: [
                type, person, from, to, device,
                Operation.Parameter(
                    name: "bucket", kind: .words(["none", "hour", "day", "week", "month"]),
                    meaning: "The step; without one the whole time is one step.",
                    example: .string("day")),
            ], request: "statistics", answer: .list(key: "rows", end: "statistics")),
        Operation(
            id: "getSummary", method: "GET", path: ["v1", "summaries"],
            summary: "The energy of a day, or the daily averages of the month before a day.",
            query: [
                Operation.Parameter(
                    name: "period", kind: .words(["day", "month"]), meaning: "Of which time.",
                    isRequired: true, example: .string("day")),
                Operation.Parameter(
                    name: "date", kind: .date,
                    meaning: "The day, or the day after the month; without one today.",
                    example: .string("2026-11-21")),
                person,
            ], request: "summary"),
        Operation(
            id: "listWorkouts", method: "GET", path: ["v1", "workouts"],
            summary: "Stored workouts, newest first.",
            query: [
                person, from, to,
                Operation.Parameter(
                    name: "activity", kind: .text, meaning: "Only of this activity: `running`.",
                    example: .string("running")),
                Operation.Parameter(
                    name: "limit", kind: .integer(1...1_000), meaning: "Not more than this.",
                    example: .number(10)),
            ], request: "workouts", answer: .list(key: "records", end: "workouts")),
        Operation(
            id: "getStoredWorkout", method: "GET", path: ["v1", "workouts", "{id}"],
            summary: "A stored workout with its figures and the curve of the heart rate.",
            pathParameters: [workoutID], request: "workoutDetail"),
        Operation(
            id: "getWorkoutFile", method: "GET", path: ["v1", "workouts", "{id}", "file"],
            summary: "A stored workout as a file for other programs.",
            pathParameters: [workoutID],
            query: [
                Operation.Parameter(
                    name: "format", kind: .words(["fit", "tcx", "csv", "json"]),
                    meaning: "The format.", isRequired: true, example: .string("fit"))
            ], request: "workoutFile", answer: .file),
        Operation(
            id: "listChanges", method: "GET", path: ["v1", "changes"],
            summary: "What was stored and deleted since an anchor, and the next anchor.",
            query: [
                Operation.Parameter(
                    name: "since", kind: .text, meaning: "The `anchor` of an earlier answer."),
                Operation.Parameter(
                    name: "limit", kind: .integer(1...4_096),
                    meaning: "Not many more than this.", example: .number(1_000)),
            ], request: "changes", answer: .list(key: "records", end: "changes")),
    ]

    private static let imports = [
        Operation(
            id: "importFile", method: "POST", path: ["v1", "imports"],
            summary: "Imports a file of health records or a workout: FIT, TCX, CSV, ndjson.",
            query: [
                Operation.Parameter(
                    name: "person", kind: .text,
                    meaning: "The person of what is in the file.", example: .string("me")),
                Operation.Parameter(
                    name: "name", kind: .text, meaning: "The name of the file, for messages.",
                    example: .string("morning.fit")),
            ], isUpload: true, request: "import")
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
                    name: "manage", kind: .texts, meaning: "What to change: `devices`, `people`."),
                Operation.Parameter(
                    name: "purpose", kind: .text, meaning: "What for, in the words of the client.",
                    example: .string("the display in the hall")),
            ],
            request: "requestAccess"),
    ]
}
