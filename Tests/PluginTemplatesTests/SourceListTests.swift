import XCTest

@testable import PluginTemplates

/// The changes of the lists that name the plugins.
final class SourceListTests: XCTestCase {
    private func apply(_ step: FileEdit.Step, to text: String) throws -> String {
        try FileEdit(path: "File.swift", steps: [step]).apply(to: text)
    }

    private func assertRefused(
        _ step: FileEdit.Step, in text: String, _ expected: String, line: UInt = #line
    ) {
        XCTAssertThrowsError(try apply(step, to: text), line: line) {
            XCTAssertTrue("\($0)".contains(expected), "\($0)", line: line)
            XCTAssertTrue("\($0)".contains("to File.swift: "), "\($0)", line: line)
        }
    }

    // MARK: The table of Package.swift

    private func line(_ name: String, header: String = "let plugins = [") -> FileEdit.Step {
        .tableLine("    (\"\(name)\", []),", name: name, header: header)
    }

    private let table =
        "x\nlet plugins = [\n    (\"Exec\", []),\n    (\"HxM\", [\"Serial\"]),\n]\ny\n"

    func testTableLine_isPutInTheOrderOfNames() throws {
        for (name, place) in [("Alpha", 2), ("hTTPSink", 3), ("Zeta", 4)] {
            let lines = try apply(line(name), to: table).split(separator: "\n")
            XCTAssertEqual(lines[place], "    (\"\(name)\", []),")
            XCTAssertEqual(lines.count, 7)
            XCTAssertEqual(
                lines.filter { $0 != lines[place] }.joined(separator: "\n") + "\n", table)
        }
    }

    func testTableLine_inAnEmptyTable_andBetweenComments() throws {
        XCTAssertEqual(
            try apply(line("A"), to: "let plugins = [\n]\n"),
            "let plugins = [\n    (\"A\", []),\n]\n")
        XCTAssertEqual(
            try apply(line("B"), to: "let plugins = [\n    // first\n    (\"C\", []),\n]\n"),
            "let plugins = [\n    // first\n    (\"B\", []),\n    (\"C\", []),\n]\n")
    }

    func testTableLine_inAnOddFile_isRefused() {
        assertRefused(line("Exec"), in: table, "it is there already")
        assertRefused(line("A"), in: "", "is there 0 times instead of once")
        assertRefused(line("A"), in: table + table, "is there 2 times instead of once")
        assertRefused(line("A"), in: "let plugins = [\n    (\"Exec\", [])\n", "has no end")
        assertRefused(line("A"), in: "let plugins = [ ]\n", "is there 0 times")
    }

    // MARK: Imports

    func testImport_isPutInTheOrderOfSwiftFormat() throws {
        let text =
            "import Exec\npublic import GatewayHost\nimport HTTPSink\nimport HeartRate\n\nlet a = 1\n"
        for (module, place) in [("Alpha", 0), ("Fit", 1), ("HZ", 3), ("Zeta", 4)] {
            let lines = try apply(.importLine(module), to: text).split(separator: "\n")
            XCTAssertEqual(lines[place], "import \(module)")
            XCTAssertEqual(lines.count, 6)
        }
    }

    func testImport_inAnOddFile_isRefused() {
        assertRefused(.importLine("A"), in: "let a = 1\n", "there are no imports")
        assertRefused(.importLine("A"), in: "    import B\n// import C\n", "there are no imports")
        assertRefused(.importLine("A"), in: "package import A\n", "it is there already")
    }

    // MARK: Lists of arguments

    private let element = FileEdit.Step.listElement("NewSink.factory", label: "sinks")

    func testElement_isAppended() throws {
        for (before, after) in [
            (
                "    sinks: [A.factory, B.factory])",
                "    sinks: [A.factory, B.factory, NewSink.factory])"
            ),
            ("    sinks: [],", "    sinks: [NewSink.factory],"),
            (
                "    sinks: [\n        A.factory,\n    ])",
                "    sinks: [A.factory, NewSink.factory])"
            ),
        ] {
            XCTAssertEqual(
                try apply(element, to: "let a = Plugins(\n\(before)\nrest\n"),
                "let a = Plugins(\n\(after)\nrest\n")
        }
    }

    func testElement_beyondTheLastColumn_breaksTheLines() throws {
        let names = (1...5).map { "NumberedSink\($0).factory" }
        let one = "    sinks: [\(names.prefix(3).joined(separator: ", "))])"
        XCTAssertEqual(one.count, 81)
        let text = try apply(.listElement(names[3], label: "sinks"), to: one)
        XCTAssertEqual(
            text,
            """
                sinks: [
                    NumberedSink1.factory, NumberedSink2.factory, NumberedSink3.factory, NumberedSink4.factory,
                ])
            """)
        XCTAssertEqual(
            try apply(.listElement(names[4], label: "sinks"), to: text),
            text.replacingOccurrences(
                of: "NumberedSink4.factory,",
                with: "NumberedSink4.factory,\n        NumberedSink5.factory,"))
    }

    func testElement_atTheLastColumn_staysOnTheLine() throws {
        for (length, lines) in [(100, 1), (101, 3)] {
            let name = String(repeating: "A", count: length - 33) + ".f"
            let text = try apply(element, to: "    sinks: [\(name)])")
            XCTAssertEqual(text.split(separator: "\n").count, lines, text)
            XCTAssertEqual(text.split(separator: "\n").map(\.count).max() == 100, lines == 1)
        }
    }

    func testElement_inAnOddFile_isRefused() {
        for (text, expected) in [
            ("    sources: []", "is there 0 times"), ("sinks: []\nsinks: []", "is there 2 times"),
            ("sinks: [A.factory", "has no end"),
            ("sinks: [NewSink.factory]", "it is there already"),
            ("sinks: [make(1, 2)]", "has more than names of factories"),
            ("sinks: [A.factory, // the first\n]", "has more than names of factories"),
            ("sinks: [a[0]]", "follows the list"),
            ("sinks: [A.factory] + more)", "follows the list"),
        ] {
            assertRefused(element, in: text, expected)
        }
    }

    // MARK: Statements and rows

    func testStatement_isPutBehindThoseOfItsKind() throws {
        let step = FileEdit.Step.statement(
            "plugins.sinks.append(B)", behind: "plugins.", orBehind: "var plugins = builtIn")
        XCTAssertEqual(
            try apply(step, to: "var plugins = builtIn\n\nrun()\n"),
            "var plugins = builtIn\nplugins.sinks.append(B)\n\nrun()\n")
        XCTAssertEqual(
            try apply(step, to: "var plugins = builtIn\nplugins.sinks.append(A)\n\nrun()\n"),
            "var plugins = builtIn\nplugins.sinks.append(A)\nplugins.sinks.append(B)\n\nrun()\n")
        assertRefused(step, in: "run()\n", "is missing")
        assertRefused(step, in: "plugins.sinks.append(B)\n", "it is there already")
    }

    func testRow_isPutBelowThoseOfItsKind() throws {
        let page =
            "# A\n| x |\n\n## B\n\n| k | n |\n|---|---|\n| sink | a |\n| source | b |\n\n## C\n"
        func step(_ kind: String) -> FileEdit.Step {
            .row("| \(kind) | new |", firstCell: kind, heading: "## B")
        }
        for (kind, place) in [("sink", 8), ("source", 9), ("other", 9)] {
            let lines = try apply(step(kind), to: page).split(
                separator: "\n", omittingEmptySubsequences: false)
            XCTAssertEqual(lines[place], "| \(kind) | new |")
            XCTAssertEqual(lines.count, 13)
        }
        assertRefused(step("sink"), in: "# A\n", "is there 0 times")
        assertRefused(step("sink"), in: "## B\n\ntext\n## C\n| t |\n", "there is no table below")
        assertRefused(
            step("sink"), in: page.replacingOccurrences(of: "| sink | a |", with: "| sink | new |"),
            "it is there already")
    }
}
