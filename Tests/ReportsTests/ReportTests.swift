import ArgumentValues
import JSON
import XCTest

@testable import Reports

final class ReportTests: XCTestCase {
    private let rows: [JSONValue] = [
        .object([
            "name": .string("Ada's \"best\", strap"), "signal": .number(-61.5),
            "adopted": .boolean(true), "services": .array([.string("180d"), .string("180f")]),
            "access": .object(["group": .string("dialout"), "mode": .string("660")]),
        ]),
        .object(["name": .string("A\nB"), "signal": .null]),
    ]

    func testCSV_hasAFieldForEachColumn() {
        let report = Report(
            columns: ["name", "signal", "adopted", "services", "access.group", "access"],
            values: rows)
        XCTAssertEqual(
            report.text(as: .csv) { "" },
            "name,signal,adopted,services,access.group,access\r\n"
                + "\"Ada's \"\"best\"\", strap\",-61.5,true,180d; 180f,dialout,"
                + "group: dialout; mode: 660\r\n" + "\"A\nB\",,,,,\r\n")
        XCTAssertEqual(Report(columns: ["a"], rows: []).text(as: .csv) { "" }, "a\r\n")
    }

    func testJSON_isTheDocument_orAnArrayWithARowInEachLine() {
        let report = Report(columns: [], rows: [#"{"b":1,"a":2}"#, "{}"])
        XCTAssertEqual(report.text(as: .json) { "" }, "[\n{\"b\":1,\"a\":2},\n{}\n]\n")
        XCTAssertEqual(Report(columns: [], rows: []).text(as: .json) { "" }, "[]\n")
        let whole = Report(columns: [], values: rows, document: .object(["n": .number(2)]))
        XCTAssertEqual(whole.text(as: .json) { "" }, "{\"n\":2}\n")
        XCTAssertEqual(whole.text(as: .ndjson) { "" }.split(separator: "\n").count, 2)
    }

    func testCSV_ofOneObject_hasARowForEachValue() {
        let report = Report(
            object:
                #"{"v":1,"sinks":[{"name":"a","ok":true},{"name":"b"}],"tags":["x","y"],"no":{}}"#)
        XCTAssertEqual(
            report.text(as: .csv) { "" },
            "key,value\r\nsinks.0.name,a\r\nsinks.0.ok,true\r\nsinks.1.name,b\r\ntags,x; y\r\nv,1\r\n"
        )
        XCTAssertTrue(report.text(as: .json) { "" }.hasPrefix(#"{"v":1,"#))
        XCTAssertEqual(report.text(as: .ndjson) { "" }, report.text(as: .json) { "" })
    }

    func testColumn_mayHaveANameOfItsOwn() {
        let report = Report(
            columns: ["a", Report.Column("rate", path: "heart.rate")],
            rows: [#"{"a":1,"heart":{"rate":72.5}}"#, #"{"a":2,"heart":3}"#])
        XCTAssertEqual(report.text(as: .csv) { "" }, "a,rate\r\n1,72.5\r\n2,\r\n")
    }

    func testTable_isTheTextOfTheCommand() {
        XCTAssertEqual(Report(columns: [], values: rows).text(as: .table) { "T" }, "T")
    }
}
