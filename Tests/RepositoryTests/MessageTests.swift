import XCTest

/// Tests that the table of all texts for users is up to date and reviewed.
final class MessageTests: XCTestCase {
    /// `PULSEGATE_UPDATE_MESSAGES=1` updates the table.
    func testMessages_areTheReviewedOnes() throws {
        let table = ReviewedFile(
            path: "Tests/Fixtures/Messages/messages.txt", variable: "PULSEGATE_UPDATE_MESSAGES",
            advice: "Review the changes")
        try table.assertMatches(try Self.makeTable(), filter: "MessageTests")
    }

    /// A client of HTTP gets the messages of requests, in which only whole commands become operations.
    func testMessagesOfRequests_haveNoOptionOutsideOfACommand() throws {
        let rooms = [
            "GatewayHost/Access", "GatewayHost/Service", "HealthModel", "HealthStatistics",
            "HealthStore", "LiveFeed", "Metrics", "StoreQueries", "StoreRequests", "WorkoutFiles",
            "WorkoutService", "Workouts",
        ]
        let files = try rooms.flatMap { try Repository.swiftFiles(in: "Sources/\($0)") }
        XCTAssertGreaterThan(files.count, 100)
        for file in files {
            for text in TextScanner.texts(in: file.lines.joined(separator: "\n")) {
                // A field of a log has a command alone.
                let rest = text.text.replacing(/`pulsegate [^`]*`|^pulsegate .*/, with: "")
                XCTAssertNil(rest.firstMatch(of: /--[a-z]/), "\(file.path): \(text.text)")
            }
        }
    }

    func testScanner_findsTexts() {
        let source = ##"""
            // "no text"
            log.info("port opened", ["path": "\(path)"])
            throw Failure("cannot open \(path): \(text(of: "a b")); "
                + "plug it in")
            let raw = #"a "quoted" \#(name) text"#
            let long = """
                one line \
                and one
                """
            """##
        let texts = TextScanner.texts(in: source)
        XCTAssertEqual(
            texts.map(\.text),
            [
                "port opened", "path", "{path}",
                "cannot open {path}: {text(of: \"a b\")}; plug it in",
                "a \"quoted\" {name} text", "\n    one line     and one\n    ",
            ])
        XCTAssertEqual(texts.first?.context, "log.info(")
        XCTAssertEqual(texts.map(\.line), [2, 2, 2, 3, 5, 6])
    }

    /// A section for each file with texts, a line for each text.
    private static func makeTable() throws -> String {
        var table = ""
        let files = try Repository.swiftFiles(in: "Sources") + Repository.swiftFiles(in: "plugins")
        for file in files where isShipped(file.path) {
            let texts = TextScanner.texts(in: file.lines.joined(separator: "\n"))
                .filter { isProse($0.text) }
            guard !texts.isEmpty else { continue }
            table += "## \(file.path)\n"
            for text in texts { table += "\(kind(of: text, in: file.path)): \(shown(text.text))\n" }
            table += "\n"
        }
        return table
    }

    /// Whether the texts of a file are shown to users of the command.
    ///
    /// The templates are not: they are the code of other files, which `NewPluginTests` builds.
    private static func isShipped(_ path: String) -> Bool {
        let others = [
            "Sources/BluetoothTesting/", "Sources/GatewayTesting/", "Sources/HTTPTesting/",
            "Sources/pulsegate-benchmarks/",
            "Sources/PluginTemplates/Templates/",
        ]
        return !path.contains("/Tests/") && !others.contains { path.hasPrefix($0) }
    }

    /// Whether a text is prose, unlike SQL, formats and keys.
    private static func isProse(_ text: String) -> Bool {
        let words = text.split { !($0.isLetter || $0 == "'") }.filter { $0.count > 1 }
        let statements = [
            "SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "ALTER ", "PRAGMA ", "DROP ",
            "BEGIN", "WITH ", "VALUES ", "JOIN ", "AND ", "ORDER ", "WHERE ", "FROM ",
        ]
        let start = text.drop(while: \.isWhitespace)
        return words.count > 1 && text.contains(" ") && !statements.contains { start.hasPrefix($0) }
    }

    private static func kind(of text: TextScanner.Text, in path: String) -> String {
        let context = text.context
        let logs = [".debug(", ".info(", ".warning(", ".error("]
        let isLog = logs.contains { context.hasSuffix($0) }
        if isLog, context.suffix(40).lowercased().contains("log") { return "log" }
        // In an extension of the logger.
        let isLogger = path.hasSuffix("+Log.swift")
        if isLogger, logs.contains(where: { context.hasSuffix(" \($0.dropFirst())") }) {
            return "log"
        }
        if ["summary:", "help:", "details:"].contains(where: { context.contains($0) }) {
            return "help"
        }
        return "text"
    }

    /// The text on one line, with blanks folded.
    private static func shown(_ text: String) -> String {
        text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            .joined(separator: " ⏎ ")
    }
}
