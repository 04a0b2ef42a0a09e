import ByteDecoding
import HTTPServer
import JSON

/// Converts the answer with a file, whose content is in base 64, to a download.
enum FileDownload {
    /// The format of the response.
    static func format() -> AnswerChannel.Format {
        AnswerChannel.Format(
            headers: [("Cache-Control", "no-store")], convert: content, output: HTTPOutput(),
            headersOf: headers)
    }

    /// The content of a line; the first one has the facts instead.
    private static func content(_ line: ArraySlice<UInt8>, _ number: Int) -> [UInt8] {
        guard number > 0, case .string(let data)? = fields(of: line)["data"] else { return [] }
        return Base64.bytes(of: data) ?? []
    }

    private static func headers(
        of line: ArraySlice<UInt8>
    ) -> [(name: String, value: String)] {
        guard case .object(let file)? = fields(of: line)["file"],
            case .string(let name)? = file["name"], case .string(let type)? = file["type"]
        else { return [] }
        return [
            ("Content-Type", type), ("Content-Disposition", "attachment; filename=\"\(name)\""),
        ]
    }

    private static func fields(of line: ArraySlice<UInt8>) -> [String: JSONValue] {
        guard let text = String(validating: line, as: UTF8.self),
            case .object(let fields)? = try? JSONValue(json5: text)
        else { return [:] }
        return fields
    }
}
