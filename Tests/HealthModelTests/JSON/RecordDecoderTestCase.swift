import HealthModel
import XCTest

/// Lines with the required keys, and helpers to decode lines.
class RecordDecoderTestCase: XCTestCase {
    let needed =
        #""id":"0198f3c2-0123-8abc-9def-00ff10203040","type":"stepCount","#
        + #""start":"2026-11-21T18:15:00.123Z","end":"2026-11-21T18:15:01.123000001Z","#
        + #""value":1.5,"unit":"count""#
    let neededOfEvent =
        #""kind":"event","id":"0198f3c2-0123-8abc-9def-00ff10203040","event":"device","#
        + #""at":"2026-11-21T18:15:00.123Z","device":{"name":"x"}"#

    func decode(_ line: String) throws -> Record {
        var decoder = RecordDecoder()
        return try decoder.decode(Array(line.utf8))
    }

    func error(_ line: String) -> RecordDecodingError? {
        do {
            _ = try decode(line)
            return nil
        } catch {
            return error as? RecordDecodingError
        }
    }
}

extension String {
    func replacingOccurrence(of text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    func replacingID(with key: String) -> String {
        replacingOccurrence(of: "\"id\"", with: "\"\(key)\"")
    }

    private func firstRange(of text: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map {
            $0..<index($0, offsetBy: text.count)
        }
    }

    private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
