import Foundation
import XCTest

/// What authors copy from the pages compiles, and what the types forbid does not.
final class SnippetTests: XCTestCase {
    /// The Swift blocks of a section of a page.
    private func blocks(of page: String, in section: String) throws -> [String] {
        let url = Repository.root.appending(path: page)
        let text = try String(contentsOf: url, encoding: .utf8)
        let start = try XCTUnwrap(text.range(of: "\n## \(section)\n"), section)
        let rest = text[start.upperBound...]
        let body = rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
        return body.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    func testTypeOfAPlugin_compilesAsPrinted() throws {
        let page = "Sources/GatewayCore/GatewayCore.docc/AddADevice.md"
        let all = try blocks(of: page, in: "Add a type")
        let unit = try XCTUnwrap(all.first { $0.contains("unit: \"kg·m/s^2\"") })
        XCTAssertEqual(try SnippetCompiler.errors(in: unit), "")
        let recipe = all.prefix(2)
        XCTAssertEqual(recipe.count, 2)
        let text = recipe.joined(separator: "\n")
        XCTAssertTrue(text.contains("\n    types: [WristbandProfile.temperature])"), text)
        XCTAssertEqual(try SnippetCompiler.errors(in: text), "")
    }

    func testUseOfTheConformanceSuites_compilesAsPrinted() throws {
        for (page, section) in [
            ("AddADevice", "A Bluetooth LE profile"), ("AddASink", "Tests"),
            ("AddAService", "Tests"),
        ] {
            let path = "Sources/GatewayCore/GatewayCore.docc/\(page).md"
            let text = try XCTUnwrap(try blocks(of: path, in: section).first, section)
            XCTAssertTrue(text.contains("Conformance.findings("), text)
            XCTAssertEqual(try SnippetCompiler.errors(in: text), "", page)
        }
    }

    func testIdsOfATable_compileAsPrinted() throws {
        let page = "Sources/GatewayCore/GatewayCore.docc/AddASink.md"
        let text = try XCTUnwrap(
            try blocks(of: page, in: "Append to a file").first { $0.contains("func ids(inTable") })
        XCTAssertEqual(try SnippetCompiler.errors(in: text), "")
    }

    func testFormatOfAdvertisements_compilesAsPrinted_withItsChecks() throws {
        let page = "Sources/GatewayCore/GatewayCore.docc/AddADevice.md"
        let blocks = try blocks(of: page, in: "A format of advertisements")
        XCTAssertEqual(blocks.count, 2)
        for block in blocks { XCTAssertEqual(try SnippetCompiler.errors(in: block), "") }
    }

    func testService_compilesAsPrinted() throws {
        let page = "Sources/GatewayCore/GatewayCore.docc/AddAService.md"
        let example = try blocks(of: page, in: "An example")
        let factory = try blocks(of: page, in: "The factory").prefix(1)
        let text = (example + factory).joined(separator: "\n")
        XCTAssertTrue(text.contains("ServiceFactory("), text)
        XCTAssertEqual(try SnippetCompiler.errors(in: text), "")
    }

    func testDecodingOfAValue_compilesAsPrinted() throws {
        let page = "Sources/GatewayCore/GatewayCore.docc/AddADevice.md"
        let text = try XCTUnwrap(try blocks(of: page, in: "Decode bytes").first)
        XCTAssertTrue(text.contains("reader.dateTime()"), text)
        XCTAssertEqual(try SnippetCompiler.errors(in: text), "")
    }

    /// The examples of these pages are built by `PackageTests`.
    func testFilesOfThePackagesOutside_areThoseOfTheExamples() throws {
        for (name, folder, count) in [
            ("PackageOutside", "Tests/Fixtures/OutsidePackage", 6),
            ("UseTheStore", "Tests/Fixtures/StoreProgram", 2),
        ] {
            let page = Repository.root.appending(
                path: "Sources/GatewayCore/GatewayCore.docc/\(name).md")
            let text = try String(contentsOf: page, encoding: .utf8)
            let paths = try Repository.paths(in: folder).filter { $0.hasSuffix(".swift") }
            XCTAssertEqual(paths.count, count)
            for path in paths {
                let file = try String(
                    contentsOf: Repository.root.appending(path: path), encoding: .utf8)
                let block = "`\(path.dropFirst(folder.count + 1))`:\n\n```swift\n\(file)```\n"
                XCTAssertTrue(text.contains(block), "\(name).md does not show \(path)")
            }
            XCTAssertEqual(text.components(separatedBy: "```swift\n").count - 1, paths.count)
        }
    }

    /// A package states the contract that it was written for; it does not become a command of another.
    func testCommand_compilesForItsContractOnly() throws {
        func command(_ contract: String) -> String {
            "import PulsegateBuiltIn\nimport PulsegateCommand\n@main enum Command {\n"
                + "static func main() { PulsegateCommand.main(plugins: builtIn\(contract)) }\n}\n"
        }
        XCTAssertEqual(try SnippetCompiler.errors(in: command(", contract: .version1")), "")
        for (contract, error) in [
            ("", "missing argument for parameter 'contract'"),
            (", contract: .version0", "has no member 'version0'"),
            (", contract: .version2", "has no member 'version2'"),
        ] {
            let text = try SnippetCompiler.errors(in: command(contract))
            XCTAssertTrue(text.contains(error), "\(contract): \(text)")
        }
    }

    func testSumOfSteps_compiles_andSumOfHeartRatesDoesNot() throws {
        let day = "(samples: [QuantitySample], day: Range<Instant>) throws -> Quantity?"
        func snippet(_ figure: String, _ type: String) -> String {
            "import HealthModel\nimport HealthStatistics\n"
                + "func a\(day) { try Statistics.\(figure)(of: samples, .\(type), in: day) }\n"
        }
        for (figure, right, wrong) in [
            ("sum", "stepCount", "heartRate"), ("average", "heartRate", "stepCount"),
        ] {
            XCTAssertEqual(try SnippetCompiler.errors(in: snippet(figure, right)), "", figure)
            let text = try SnippetCompiler.errors(in: snippet(figure, wrong))
            XCTAssertTrue(
                text.contains("'\(wrong)'") && text.contains("'CumulativeQuantity'"),
                "\(figure): \(text)")
        }
    }
}
