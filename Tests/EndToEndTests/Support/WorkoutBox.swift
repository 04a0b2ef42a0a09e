import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import SQLiteStore
import XCTest

/// A gateway with straps on people, whose workouts are called by the command.
struct WorkoutBox {
    let box: BluetoothBox
    let gateway: RunningCommand

    var home: Home { box.home }

    /// Ada, born in 1960, has a red strap, and Bob, born in 2005, a blue one.
    static let adaAndBob = """
        people: { ada: { birthDate: "1960-02-29", sex: "female" },
                  bob: { birthDate: "2005-07-01", sex: "male" } },
        devices: { "\(BluetoothBox.ada)": { person: "ada", name: "Red strap" },
                   "\(BluetoothBox.bob)": { person: "bob", name: "Blue strap" } }
        """

    /// One person with both straps: the red one is the better one.
    static let twoStraps = """
        devices: { "\(BluetoothBox.ada)": { role: "primary", name: "Red strap" },
                   "\(BluetoothBox.bob)": { role: "backup", name: "Blue strap" } }
        """

    /// Runs a gateway that reads both straps.
    init(_ people: String) async throws {
        box = try await BluetoothBox()
        try box.configure(
            #"{ use: "bluetooth", devices: ["\#(BluetoothBox.ada)", "\#(BluetoothBox.bob)"] }"#,
            more: people)
        gateway = try box.home.start("run")
    }

    /// Does something with a workout, which must succeed, and answers with what is printed.
    @discardableResult
    func workout(
        _ words: String..., file: StaticString = #filePath, line: UInt = #line
    ) async throws -> String {
        let outcome = try await home.run(["workout"] + words)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error, file: file, line: line)
        return outcome.output
    }

    /// What `workout status --json` says of each person.
    func status() async throws -> [String: [String: Any]] {
        try await home.workoutStatus()
    }

    /// What it says of the heart of a person.
    func heart(of person: String) async throws -> [String: Any] {
        try await status()[person]?["heart"] as? [String: Any] ?? [:]
    }

    /// Waits until the heart rate of a person is this one.
    func waitForRate(
        _ rate: Double, of person: String, file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        let clock = SystemClock()
        let end = clock.now().adding(seconds: RunningCommand.timeoutSeconds)
        while clock.now() < end {
            if try await heart(of: person)["rate"] as? Double == rate { return }
        }
        XCTFail("\(person) never has \(rate) count/min", file: file, line: line)
    }

    /// Waits for so many more heart rates of a strap.
    func waitForMore(_ count: Int, of strap: String) async throws {
        let wanted = await Self.rates(of: strap, gateway) + count
        let isMet = await gateway.waits(within: RunningCommand.timeoutSeconds) {
            Self.rates(of: strap, $0) >= wanted
        }
        guard isMet else { throw RunningCommand.Failure(description: "\(strap) tells no more") }
    }

    private static func rates(of strap: String, _ gateway: isolated RunningCommand) -> Int {
        gateway.lines(of: .output, with: strap).count { $0.contains("heartRate") }
    }
}

extension Home {
    /// What `workout status --json` says of each person.
    func workoutStatus(_ words: String...) async throws -> [String: [String: Any]] {
        let outcome = try await run(["workout", "status", "--json"] + words)
        guard outcome.ending == .exited(0) else {
            throw RunningCommand.Failure(description: outcome.error)
        }
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let workouts = (object as? [String: Any])?["workouts"] as? [[String: Any]] ?? []
        return Dictionary(
            workouts.map { ($0["person"] as? String ?? "", $0) }, uniquingKeysWith: { $1 })
    }

    /// The workouts that are stored, the newest first.
    func workouts(inStoreAt path: String? = nil) async throws -> [Workout] {
        try await SQLiteStore(readingFrom: path ?? "\(dataDirectory)/health.sqlite")
            .workouts(matching: WorkoutQuery())
    }
}
