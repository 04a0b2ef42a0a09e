import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// `workout trends`, and the first day of a week.
final class WorkoutTrendsTests: XCTestCase {
    private static let locale = "en_US.UTF-8"

    /// A home with a workout of an hour that ends now, its heart rate, and a workout eight days
    /// before it.
    private func home() async throws -> Home {
        let home = try Home()
        let end = Instant(nanosecondsSince1970: Int64(Date().timeIntervalSince1970) * 1_000_000_000)
        let start = end.adding(nanoseconds: -3_600_000_000_000)
        let before = [start, end].map { $0.adding(nanoseconds: -8 * 86_400_000_000_000) }
        var lines = """
            {"kind":"workout","id":"0199aaaa-0000-8000-8000-000000000002","activity":"rowing",\
            "start":"\(before[0])","end":"\(before[1])","person":"me","totals":[\
            {"type":"distanceRowing","sum":1000,"unit":"m"}]}
            {"kind":"workout","id":"0199aaaa-0000-8000-8000-000000000001","activity":"rowing",\
            "start":"\(start)","end":"\(end)","person":"me","totals":[\
            {"type":"distanceRowing","sum":12340,"unit":"m"}]}
            {"type":"restingHeartRate","start":"\(start)","end":"\(start)","value":54,"unit":"count/min"}

            """
        for minute in 0..<60 {
            let time = start.adding(nanoseconds: Int64(minute) * 60_000_000_000)
            lines += """
                {"type":"heartRate","start":"\(time)","end":"\(time)","value":150,"unit":"count/min"}

                """
        }
        try home.folder.write(Array(lines.utf8), to: "workouts.ndjson")
        for words in [
            ["people", "set", "me", "--maximum-heart-rate", "188"],
            ["import", home.folder.path("workouts.ndjson")],
        ] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        return home
    }

    func testTrends_areATable_aPlot_andFormats() async throws {
        let home = try await home()
        let table = try await home.run("workout", "trends", "--weeks", "3")
        XCTAssertEqual(table.error, "")
        // The hour may begin in the week before.
        XCTAssertTrue(table.output.hasPrefix("WEEK OF     WORKOUTS "), table.output)
        XCTAssertTrue(table.output.contains("ZONE 5"), table.output)
        XCTAssertEqual(table.output.split(separator: "\n").count, 4)
        let plot = try await home.run("workout", "trends", "--plot", "zones")
        XCTAssertTrue(plot.output.contains("3333"), plot.output)
        let json = try await home.run("workout", "trends", "--weeks", "3", "--json")
        let weeks = try XCTUnwrap(
            JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        let sums = ["workouts": 2.0, "activeSeconds": 7_200, "distanceMeters": 13_340]
        for (key, sum) in sums {
            let total = weeks.compactMap { $0[key] as? Double }.reduce(0, +)
            XCTAssertEqual(total, sum, accuracy: 0.001, key)
        }
        XCTAssertEqual(weeks.compactMap { $0["restingHeartRate"] as? Double }, [54])

        let other = try await home.run("workout", "trends", "--activity", "running", "--weeks", "3")
        XCTAssertFalse(other.output.contains("12.34 km"), other.output)
        XCTAssertTrue(other.output.contains("-       54    -"), other.output)
        let nothing = try await home.run("workout", "trends", "--plot", "heartRateVariability")
        XCTAssertEqual(nothing.output, "")
        XCTAssertEqual(
            nothing.error,
            "pulsegate: no heartRateVariability found in the last 12 weeks\n")
    }

    func testWeeks_startOnTheFirstWeekdayOfTheLocale() async throws {
        var home = try await home()
        try await makeLocale(in: home)
        for (locale, weekday) in [("C", 2), (Self.locale, 1), ("xx_YY.UTF-8", 2)] {
            home.environment["LC_ALL"] = locale
            home.environment["LOCPATH"] = home.folder.path("locales")
            let outcome = try await home.run("workout", "trends", "--weeks", "2", "--format", "csv")
            let lines = outcome.output.split(separator: "\r\n")
            let start = try XCTUnwrap(lines.dropFirst().first?.split(separator: ",").first)
            let date = try Date(String(start.prefix(10)), strategy: .iso8601.year().month().day())
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try XCTUnwrap(TimeZone(identifier: "UTC"))
            XCTAssertEqual(calendar.component(.weekday, from: date), weekday, locale)
        }
    }

    /// Makes a locale whose weeks start on Sunday in a folder of the home.
    private func makeLocale(in home: Home) async throws {
        let path = "/usr/bin/localedef"
        guard FileManager.default.isExecutableFile(atPath: path),
            FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/en_US")
        else { throw XCTSkip("needs localedef and its sources: apt-get install locales") }
        try home.folder.makeFolder("locales")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [
            "-i", "en_US", "-f", "UTF-8", home.folder.path("locales/\(Self.locale)"),
        ]
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
    }
}
