// swift-tools-version: 6.0
import PackageDescription

/// The plugins: a line for each folder in plugins/, with the rooms it imports beside the core.
let plugins: [(name: String, rooms: [Target.Dependency])] = [
    ("Alerts", ["Programs"]),
    ("BloodPressure", ["Bluetooth"]),
    ("BodyComposition", ["Bluetooth"]),
    ("BTHome", ["Advertisements", "Bluetooth", "CCrypto"]),
    ("CyclingPower", ["Bluetooth", "Cycling"]),
    ("CyclingSpeed", ["Bluetooth", "Cycling"]),
    ("Exec", ["Bluetooth", "Programs", "Serial"]),
    ("FitnessMachine", ["Bluetooth"]),
    ("HealthThermometer", ["Bluetooth"]),
    ("HeartRate", ["Bluetooth"]),
    ("HTTPSink", ["HTTPClient"]),
    ("HxM", ["Serial"]),
    ("InfiniTime", ["Bluetooth"]),
    ("Lines", ["Serial"]),
    ("PolarBroadcast", ["Advertisements", "Bluetooth"]),
    ("PolarMeasurement", ["Bluetooth"]),
    ("PulseOximeter", ["Bluetooth"]),
    ("Rebroadcast", ["Bluetooth", "Peripheral"]),
    ("RunningSpeed", ["Bluetooth"]),
    ("Simulator", ["Bluetooth", "Serial", "Simulation"]),
    ("SQLiteSink", ["SQLiteStore", "SQLite"]),
    ("StdoutSink", []),
    ("Web", ["HTTPServer", "CZlib"]),
    ("WeightScale", ["Bluetooth"]),
]

/// The files that plugins have in their code, beside their sources.
let embedded: [String: [Resource]] = ["Web": [.embedInCode("Pages")]]

/// Every target is checked alike: explicit existentials, imports that say who sees them.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A folder of Sources, and its tests in Tests where it has them.
func room(
    _ name: String, _ dependencies: [Target.Dependency] = [], tests: [Target.Dependency]? = [],
    resources: [Resource]? = nil
) -> [Target] {
    var targets: [Target] = [
        .target(
            name: name, dependencies: dependencies, path: "Sources/\(name)", resources: resources,
            swiftSettings: settings)
    ]
    if let tests {
        targets.append(
            .testTarget(
                name: "\(name)Tests", dependencies: [.target(name: name)] + dependencies + tests,
                swiftSettings: settings))
    }
    return targets
}

/// A folder of plugins: its sources and its tests.
///
/// Fixtures, README.md and sample.json5 lie beside.
func targets(ofPlugin name: String, rooms: [Target.Dependency]) -> [Target] {
    let dependencies =
        ["ByteDecoding", "GatewayCore", "Readings", "HealthModel", "JSON", "Platform"] + rooms
    return [
        .target(
            name: name, dependencies: dependencies, path: "plugins/\(name)/Sources",
            resources: embedded[name], swiftSettings: settings),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [
                .target(name: name), "BluetoothTesting", "GatewayTesting", "HTTPTesting",
                "JournalLog",
            ] + dependencies,
            path: "plugins/\(name)/Tests", swiftSettings: settings),
    ]
}

var targets: [Target] = [
    // No pkgConfig: the module map names the library, and pkg-config need not be installed.
    .systemLibrary(
        name: "CSQLite", path: "Sources/CLibraries/CSQLite",
        providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
        name: "CSystemd", path: "Sources/CLibraries/CSystemd",
        providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(
        name: "CBluetooth", path: "Sources/CLibraries/CBluetooth",
        providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(
        name: "CUdev", path: "Sources/CLibraries/CUdev", providers: [.apt(["libudev-dev"])]),
    .systemLibrary(
        name: "CExpat", path: "Sources/CLibraries/CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CEpoll", path: "Sources/CLibraries/CEpoll"),
    .systemLibrary(name: "CSocket", path: "Sources/CLibraries/CSocket"),
    .systemLibrary(name: "CPty", path: "Sources/CLibraries/CPty"),
    .systemLibrary(name: "CMemory", path: "Sources/CLibraries/CMemory"),
    // It needs the headers of libcurl4-openssl-dev; the library is opened at run time.
    .target(name: "CCurl", path: "Sources/CLibraries/CCurl"),
    // It needs the headers of libmicrohttpd-dev; the library is opened at run time.
    .target(name: "CMicrohttpd", path: "Sources/CLibraries/CMicrohttpd"),
    // It opens libcrypto of OpenSSL at run time, and needs no header of it.
    .target(name: "CCrypto", path: "Sources/CLibraries/CCrypto"),
    // It opens libz at run time, and needs no header of it.
    .target(name: "CZlib", path: "Sources/CLibraries/CZlib"),
    .target(name: "CJournalLog", path: "Sources/CLibraries/CJournalLog"),
    .target(name: "CStart", path: "Sources/CLibraries/CStart"),
    .target(name: "CThreads", path: "Sources/CLibraries/CThreads"),
    .target(name: "CProcess", path: "Sources/CLibraries/CProcess"),
    .target(name: "CSHA256", path: "Sources/CLibraries/CSHA256"),
    .target(name: "CCallMarks", path: "Sources/CLibraries/CCallMarks"),
    .target(name: "CFileLocks", path: "Sources/CLibraries/CFileLocks"),
    .target(name: "CRename", path: "Sources/CLibraries/CRename"),
    .target(
        name: "CEarlyStart", dependencies: ["CStart"], path: "Sources/CLibraries/CEarlyStart"),
    .target(name: "CBenchmarks", path: "Sources/CLibraries/CBenchmarks"),
    .target(name: "CFaults", path: "Sources/CLibraries/CFaults"),
    .target(name: "CWriteTrace", path: "Sources/CLibraries/CWriteTrace"),
    .executableTarget(
        name: "pulsegate",
        dependencies: ["CEarlyStart", "PulsegateCommand", "PulsegateBuiltIn"],
        exclude: ["Manual"], swiftSettings: settings),
    // It measures; the rest of the package does not know it, and no test runs it.
    .executableTarget(
        name: "pulsegate-benchmarks",
        dependencies: [
            "CBenchmarks", "CSQLite", "CSystemd", "HealthModel", "GatewayCore", "Readings",
            "Bluetooth", "Serial", "SQLite", "JournalLog", "SQLiteStore", "HeartRate", "Lines",
            "SQLiteSink",
            "BluetoothTesting", "GatewayTesting", "HTTPTesting", "DBus", "Exec", "JSON",
            "Platform",
        ],
        swiftSettings: settings),
    // A command with plugins that do what a plugin must not do, for EndToEndTests.
    .executableTarget(
        name: "pulsegate-wrong-plugins",
        dependencies: [
            "PulsegateBuiltIn", "PulsegateCommand", "GatewayHost", "Serial", "GatewayCore",
            "Readings", "HealthModel", "JSON", "Platform",
        ],
        path: "Tests/WrongPlugins", swiftSettings: settings),
    // They read the repository: imports, sizes, pages.
    .testTarget(name: "RepositoryTests", swiftSettings: settings),
    // They run the command itself, which every build makes; linked with it they would catch signals.
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "Capture", "Simulation", "Bluetooth", "HealthModel", "GatewayCore", "Readings", "DBus",
            "Serial", "SQLite", "SQLiteJournal", "JournalLog",
            "HealthStore", "SQLiteStore", "BluetoothTesting", "GatewayTesting", "HTTPTesting",
            "JSON", "Platform",
        ],
        swiftSettings: settings),
]
targets += room(
    "Platform",
    ["CStart", "CThreads", "CEpoll", "CFileLocks", "CRename", "CProcess", "CCallMarks"],
    tests: ["GatewayTesting", "GatewayCore"])
targets += room("JSON", ["Platform"], tests: ["GatewayTesting"])
targets += room("HealthModel", ["JSON", "Platform"], tests: ["GatewayTesting"])
targets += room("ByteDecoding", ["HealthModel"], tests: ["GatewayTesting", "Platform"])
targets += room(
    "HealthStatistics", ["HealthModel", "JSON", "Platform"], tests: ["GatewayTesting"])
targets += room("Readings", ["HealthModel", "Platform"], tests: ["GatewayTesting"])
targets += room("GatewayJournal", ["Readings", "Platform", "HealthModel"], tests: nil)
targets += room(
    "GatewayCore", ["GatewayJournal", "Readings", "Platform", "JSON", "HealthModel"],
    tests: ["GatewayTesting"])
targets += room("SQLite", ["CSQLite"], tests: ["GatewayTesting"])
targets += room(
    "SQLiteJournal", ["SQLite", "GatewayCore", "Readings", "HealthModel", "JSON", "Platform"],
    tests: ["GatewayTesting"])
targets += room(
    "JournalLog",
    ["CJournalLog", "ByteDecoding", "GatewayCore", "Readings", "HealthModel", "Platform"],
    tests: ["GatewayTesting"])
targets += room(
    "HealthStore", ["HealthStatistics", "HealthModel", "Platform"], tests: ["GatewayTesting"])
targets += room("StoreQueries", ["HealthStore", "HealthModel", "Platform"])
targets += room("HourSummaries", ["HealthStatistics", "HealthModel"], tests: nil)
targets += room(
    "SQLiteStore",
    [
        "StoreQueries", "HealthStore", "HourSummaries", "SQLite", "GatewayCore", "HealthStatistics",
        "HealthModel",
        "JSON",
        "Platform",
    ],
    tests: ["GatewayTesting"])
targets += room(
    "Workouts",
    ["GatewayCore", "HealthStatistics", "HealthModel", "JSON", "Platform"],
    tests: ["GatewayTesting"])
targets += room("CSV")
targets += room("XML", ["CExpat", "JSON"], tests: ["GatewayTesting"])
targets += room(
    "AppleHealth", ["XML", "HealthModel", "Readings", "JSON"],
    tests: ["GatewayTesting", "Platform"])
targets += room(
    "WorkoutFiles",
    [
        "XML", "CSV", "Workouts", "ByteDecoding", "HealthStatistics", "HealthModel", "JSON",
    ],
    tests: ["GatewayTesting", "GatewayCore", "Platform"])
targets += room("PluginTemplates")
targets += room(
    "HTTPClient", ["CCurl", "Platform"], tests: ["GatewayTesting", "GatewayCore", "HTTPTesting"])
targets += room(
    "HTTPServer", ["CMicrohttpd", "Platform"],
    tests: ["GatewayTesting", "GatewayCore", "HTTPTesting"])
targets += room("DBus", ["CSystemd", "Platform"], tests: ["GatewayTesting", "BluetoothTesting"])
targets += room(
    "Bluetooth",
    ["ByteDecoding", "DBus", "GatewayCore", "Readings", "HealthModel", "JSON", "Platform"],
    tests: ["GatewayTesting", "BluetoothTesting", "Advertisements", "BluetoothSetup"])
targets += room(
    "BluetoothSetup", ["Bluetooth", "DBus", "GatewayCore", "Platform", "Readings"], tests: nil)
targets += room(
    "Cycling",
    ["Bluetooth", "ByteDecoding", "GatewayCore", "HealthModel", "JSON", "Platform", "Readings"],
    tests: nil)
targets += room(
    "Peripheral", ["Bluetooth", "DBus", "GatewayCore", "Platform"],
    tests: ["GatewayTesting", "BluetoothTesting"])
targets += room(
    "Advertisements",
    [
        "Bluetooth", "ByteDecoding", "DBus", "GatewayCore", "Readings", "HealthModel", "JSON",
        "Platform",
    ],
    tests: ["BluetoothTesting", "GatewayTesting"])
targets += room(
    "Serial",
    ["CBluetooth", "CUdev", "CPty", "GatewayCore", "Readings", "HealthModel", "JSON", "Platform"],
    tests: ["GatewayTesting"])
targets += room(
    "Programs", ["GatewayCore", "HealthModel", "JSON", "Platform"], tests: ["GatewayTesting"])
targets += room(
    "Simulation",
    ["Bluetooth", "ByteDecoding", "Platform"], tests: ["GatewayTesting"])
targets += room(
    "Capture",
    [
        "Advertisements", "Bluetooth", "Serial", "ByteDecoding", "GatewayCore", "Readings",
        "HealthModel", "JSON", "Platform",
    ],
    tests: ["GatewayTesting", "Simulator", "HeartRate", "HxM", "Lines"])
targets += room(
    "GatewayTesting",
    [
        "CMemory", "Advertisements", "Bluetooth", "ByteDecoding", "GatewayCore",
        "HealthModel", "HealthStore", "SQLite", "SQLiteStore", "JSON", "Platform", "Readings",
        "Serial",
    ])
targets += room(
    "BluetoothTesting",
    [
        "Advertisements", "Bluetooth", "DBus", "GatewayCore", "GatewayTesting", "HealthModel",
        "JSON", "Platform",
    ],
    tests: ["Readings", "ByteDecoding"])
targets += room("HTTPTesting", ["GatewayCore", "GatewayTesting", "Platform"])
targets += room("QRCode", tests: ["GatewayTesting", "Platform"])
targets += room("Terminal", ["Platform"], tests: ["GatewayTesting", "GatewayCore"])
targets += room(
    "WorkoutScreens",
    [
        "Terminal", "Workouts", "GatewayCore", "HealthStatistics", "HealthModel", "JSON",
        "Platform",
    ],
    tests: ["GatewayTesting"])
targets += room(
    "WorkoutService",
    [
        "Workouts", "SQLiteStore", "GatewayCore", "Readings", "HealthStatistics", "HealthModel",
        "JSON",
        "Platform",
    ],
    tests: ["GatewayTesting", "SQLite"])
targets += room(
    "HostFiles", ["GatewayCore", "HealthModel", "JSON", "Platform"], tests: nil)
targets += room(
    "GatewayHost",
    [
        "HostFiles", "WorkoutService", "Capture", "Workouts", "Advertisements", "Bluetooth",
        "Serial",
        "HealthStore", "SQLiteStore", "StoreQueries", "SQLite", "SQLiteJournal", "JournalLog",
        "GatewayCore", "Readings", "HealthModel", "JSON", "Platform",
    ],
    tests: ["GatewayTesting"] + plugins.map { .target(name: $0.name) })
targets += room(
    "ControlSocket",
    [
        "CSocket", "GatewayHost", "WorkoutService", "Workouts", "SQLiteStore", "GatewayCore",
        "HealthModel", "JSON", "Platform",
    ],
    tests: [
        "GatewayTesting", "Lines", "SQLiteSink", "LiveFeed", "Metrics", "StoreRequests", "Web",
        "HTTPServer", "HTTPTesting",
    ])
targets += room(
    "LiveFeed",
    [
        "GatewayHost", "WorkoutService", "Workouts", "GatewayCore", "Readings", "HealthModel",
        "JSON", "Platform",
    ],
    tests: ["GatewayTesting", "GatewayJournal", "SQLiteStore", "SQLiteSink"])
targets += room(
    "StoreRequests",
    [
        "WorkoutFiles", "WorkoutService", "Workouts", "GatewayHost", "HealthStore", "SQLiteStore",
        "HealthStatistics", "ByteDecoding", "GatewayCore", "HealthModel", "JSON", "Platform",
    ],
    tests: ["GatewayTesting", "SQLiteSink", "Lines"])
targets += room(
    "Backup",
    [
        "CSHA256", "GatewayHost", "SQLiteStore", "SQLite", "GatewayCore", "HealthModel", "JSON",
        "Platform",
    ],
    tests: ["GatewayTesting", "HealthStore"])
targets += room(
    "ArgumentValues", ["GatewayHost", "GatewayCore", "HealthModel", "JSON", "Platform"],
    tests: ["GatewayTesting"])
targets += room(
    "RecordTables",
    [
        "ArgumentValues", "WorkoutScreens", "Terminal", "CSV", "GatewayCore", "HealthModel",
        "JSON", "Platform",
    ],
    tests: ["GatewayTesting"])
targets += room(
    "Reports",
    [
        "ArgumentValues", "WorkoutScreens", "Terminal", "CSV", "GatewayHost", "SQLiteStore",
        "Workouts", "GatewayCore", "HealthModel", "JSON", "Platform",
    ],
    tests: ["GatewayTesting"])
targets += room(
    "StatisticsScreens",
    [
        "StoreRequests", "ArgumentValues", "Reports", "WorkoutScreens", "Terminal", "GatewayHost",
        "WorkoutService", "Workouts", "HealthStore", "SQLiteStore",
        "HealthStatistics", "GatewayCore", "HealthModel", "CSV", "JSON", "Platform",
    ],
    tests: ["GatewayTesting"])
targets += room(
    "Metrics",
    [
        "GatewayHost", "GatewayCore", "GatewayJournal", "Readings", "HealthModel", "JSON",
        "Platform",
    ],
    tests: ["GatewayTesting"])
targets += room(
    "StatusScreens",
    [
        "ArgumentValues", "RecordTables", "WorkoutScreens", "Terminal", "GatewayHost",
        "GatewayCore", "Readings",
        "HealthModel", "Platform",
    ],
    tests: ["GatewayTesting"])
targets += room(
    "DeviceScreens",
    [
        "ArgumentValues", "Reports", "Terminal", "GatewayHost", "Advertisements", "BluetoothSetup",
        "Bluetooth", "Serial",
        "GatewayCore", "Readings", "HealthModel", "JSON", "Platform",
    ], tests: nil)
targets += room(
    "HealthTransfer",
    [
        "StoreRequests", "AppleHealth", "WorkoutFiles", "XML", "CSV", "RecordTables", "Terminal",
        "GatewayHost", "Workouts", "HealthStore",
        "SQLiteStore",
        "GatewayCore", "GatewayJournal", "Readings", "HealthModel", "JSON", "Platform",
    ],
    tests: ["GatewayTesting"])
targets += room(
    "Installation", ["HostFiles", "Platform"],
    tests: ["GatewayTesting", "GatewayCore", "HealthModel", "JSON"],
    resources: [.embedInCode("Files")])
targets += room(
    "Doctor",
    [
        "StatusScreens", "WorkoutScreens", "Terminal", "ControlSocket", "GatewayHost",
        "HostFiles", "JournalLog", "SQLiteStore", "Bluetooth", "DBus", "Serial", "GatewayCore",
        "HealthModel", "JSON", "Platform",
    ],
    tests: [
        "GatewayTesting", "BluetoothTesting", "HTTPTesting", "PulsegateBuiltIn",
    ])
targets += room("ShellCompletions", [], tests: nil)
targets += room(
    "PluginPlans",
    [
        "PluginTemplates", "GatewayHost", "Advertisements", "Bluetooth", "Serial", "GatewayCore",
        "HealthModel", "JSON", "Platform",
    ], tests: ["GatewayTesting"])
targets += room(
    "CommandArguments",
    [
        "ArgumentValues", "PluginPlans", "Terminal", "GatewayHost", "GatewayCore", "HealthModel",
        "JSON", "Platform",
    ],
    tests: nil)
targets += room(
    "CommandSupport",
    [
        "CommandArguments", "ControlSocket", "HealthTransfer", "LiveFeed", "Metrics",
        "StoreRequests", "Terminal", "ArgumentValues", "GatewayHost", "JournalLog", "GatewayCore",
        "SQLiteStore", "HealthModel", "JSON", "Platform",
    ],
    tests: nil)
targets += room(
    "WorkoutCommands",
    [
        "CommandSupport", "CommandArguments", "ArgumentValues", "StatisticsScreens", "Reports",
        "RecordTables", "ControlSocket", "StoreRequests", "Terminal", "WorkoutScreens",
        "GatewayHost", "WorkoutService", "HealthTransfer", "WorkoutFiles", "Workouts",
        "HealthStore", "SQLiteStore", "GatewayCore", "HealthStatistics", "HealthModel", "JSON",
        "Platform",
    ],
    tests: nil)
targets += room(
    "PulsegateCommand",
    [
        "CommandSupport", "WorkoutCommands",
        "Doctor", "Installation", "CommandArguments", "ArgumentValues", "ShellCompletions",
        "DeviceScreens",
        "StatusScreens",
        "Metrics", "QRCode",
        "StatisticsScreens", "Reports", "RecordTables", "ControlSocket", "LiveFeed",
        "StoreRequests",
        "PluginPlans",
        "PluginTemplates",
        "Terminal", "CSV",
        "WorkoutScreens",
        "Backup", "GatewayHost", "Capture",
        "WorkoutService", "HealthTransfer", "WorkoutFiles", "Workouts", "Advertisements",
        "BluetoothSetup",
        "Bluetooth", "Serial",
        "HealthStore", "SQLiteStore", "GatewayCore", "Readings", "HealthStatistics",
        "HealthModel", "JSON", "Platform",
    ],
    tests: ["GatewayTesting", "BluetoothTesting", "PulsegateBuiltIn"]
        + plugins.map { .target(name: $0.name) })
targets += room(
    "PulsegateBuiltIn", ["GatewayHost"] + plugins.map { .target(name: $0.name) }, tests: nil)
targets += plugins.flatMap { targets(ofPlugin: $0.name, rooms: $0.rooms) }

let package = Package(
    name: "pulsegate",
    products: [
        .executable(name: "pulsegate", targets: ["pulsegate"]),
        // What a package outside the tree needs to write plugins and to be a command.
        .library(
            name: "PulsegateKit",
            targets: [
                "Platform", "JSON", "HealthModel", "ByteDecoding", "Readings",
                "GatewayJournal", "GatewayCore", "DBus", "Bluetooth", "Advertisements", "Cycling",
                "Serial", "HTTPClient",
                "Simulation",
                "HostFiles", "GatewayHost", "PulsegateBuiltIn", "PulsegateCommand",
            ]),
        // What a program needs to read and write a store, without a gateway.
        .library(
            name: "PulsegateStore",
            targets: ["HealthModel", "HealthStatistics", "HealthStore", "SQLiteStore"]),
        // What its tests need; it links Foundation, which a gateway does without.
        .library(
            name: "PulsegateTesting",
            targets: ["GatewayTesting", "BluetoothTesting", "HTTPTesting"]),
        // For such a command alone, since linking it changes the signals of a process.
        .library(name: "PulsegateEarlyStart", targets: ["CEarlyStart"]),
        // Tests preload it into the command; nothing is linked with it.
        .library(name: "CFaults", type: .dynamic, targets: ["CFaults"]),
        .library(name: "CWriteTrace", type: .dynamic, targets: ["CWriteTrace"]),
    ],
    targets: targets,
    swiftLanguageModes: [.v6]
)
