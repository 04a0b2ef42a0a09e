import HTTPServer
import JSON

/// Converts the lines of a long answer to one JSON object with a list: `{"records":[…]}`.
struct LineList {
    /// The key of the list, and of its length in the last line.
    let key: String
    /// The key of the object in the last line, whose other fields follow the list.
    let end: String

    /// The format of the response.
    var format: AnswerChannel.Format {
        AnswerChannel.Format(
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            start: Array("{\"\(key)\":[".utf8), convert: convert, output: HTTPOutput())
    }

    /// An error ends the list, too.
    private func convert(_ line: ArraySlice<UInt8>, _ number: Int) -> [UInt8] {
        if line.starts(with: "{\"\(end)\":{".utf8) { return ending(line) }
        if let failure = failure(line) { return failure }
        return number == 0 ? Array(line) : [UInt8(ascii: ",")] + line
    }

    /// The end of the list with an error; nil for another line.
    private func failure(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        guard line.starts(with: #"{"error":"#.utf8),
            let text = String(validating: line, as: UTF8.self),
            case .object(var fields)? = try? JSONValue(json5: text),
            case .string(let problem)? = fields["error"]
        else { return nil }
        fields["error"] = .string(HTTPWords.text(problem))
        return Array("],".utf8) + Array(JSONValue.object(fields).json.utf8.dropFirst())
    }

    private func ending(_ line: ArraySlice<UInt8>) -> [UInt8] {
        guard let text = String(validating: line, as: UTF8.self),
            case .object(let object)? = try? JSONValue(json5: text),
            case .object(var fields)? = object[end]
        else { return Array("]}".utf8) }
        fields[key] = nil
        guard !fields.isEmpty else { return Array("]}".utf8) }
        return Array("],".utf8) + Array(JSONValue.object(fields).json.utf8.dropFirst())
    }
}
