import Foundation
import XCTest

/// The section of AddADevice.md about bytes names everything that ByteDecoding offers, so that an author
/// need not open its source.
final class DecodingTableTests: XCTestCase {
    /// What every error and every value has.
    private static let generalNames: Set = ["description"]

    /// The public functions, properties, constants and cases of a file.
    private func publicNames(in file: Repository.SourceFile) -> Set<String> {
        var names: Set<Substring> = []
        var isPublicEnum = false
        for line in file.lines {
            if line.contains(#/^ *(public |package |private )?(enum|struct) /#) {
                isPublicEnum = line.contains("public enum ")
            }
            if let match = line.firstMatch(of: #/^ *public [a-z ]*(?:func|var|let) (\w+)/#) {
                names.insert(match.output.1)
            }
            // A pattern of a `switch` has a colon behind it.
            if isPublicEnum,
                let match = line.wholeMatch(of: #/ *case ([a-z]\w*)(?:\(.*\))?/#)
            {
                names.insert(match.output.1)
            }
        }
        return Set(names.map(String.init)).subtracting(Self.generalNames)
    }

    /// The identifiers in the inline code of the section "Decode bytes".
    private func namesInPage() throws -> Set<String> {
        let page = Repository.root.appending(
            path: "Sources/GatewayCore/GatewayCore.docc/AddADevice.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try XCTUnwrap(text.range(of: "\n## Decode bytes\n"))
        let rest = text[start.upperBound...]
        let end = try XCTUnwrap(rest.range(of: "\n## ")).lowerBound
        let spans = MarkdownPage(String(rest[..<end])).spans
        return Set(
            spans.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
                .map(String.init))
    }

    func testDecodeBytes_namesEveryFunctionAndCase() throws {
        let named = try namesInPage()
        for file in try Repository.swiftFiles(in: "Sources/ByteDecoding") {
            let missing = publicNames(in: file).subtracting(named)
            XCTAssertEqual(missing.sorted(), [], "AddADevice.md does not name these: \(file.path)")
        }
    }

    func testPublicNames_areThoseOfTheReaderAndOfFrames() throws {
        let files = try Repository.swiftFiles(in: "Sources/ByteDecoding")
        let names = files.reduce(into: Set<String>()) { $0.formUnion(publicNames(in: $1)) }
        let some: Set = [
            "uint24", "int16", "sfloat", "float", "dateTime", "remaining", "little", "truncated",
            "fixed", "field", "crc", "xor", "sum", "frame", "corrupt", "tooLong", "lines",
            "crc8Maxim", "cobs", "splitter", "notANumber", "finite", "instant", "rawValue",
        ]
        XCTAssertEqual(some.subtracting(names), [])
        // Internal names, and parts of a `switch`.
        for other in ["unsigned", "match", "mismatch", "incomplete", "decodeCOBS", "false"] {
            XCTAssertFalse(names.contains(other), other)
        }
    }
}
