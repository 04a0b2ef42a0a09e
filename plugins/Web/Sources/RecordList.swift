import HTTPServer

/// Converts the lines of stored records to one JSON object: `{"records":[…]}`.
enum RecordList {
    /// The format of the response.
    static func format() -> AnswerChannel.Format {
        AnswerChannel.Format(
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            start: Array(#"{"records":["#.utf8), convert: convert, output: HTTPOutput())
    }

    /// The last line of the gateway has the number of records; an error ends the list, too.
    private static func convert(_ line: ArraySlice<UInt8>, _ number: Int) -> [UInt8] {
        if line.starts(with: #"{"query":"#.utf8) { return Array("]}".utf8) }
        if line.starts(with: #"{"error":"#.utf8) { return Array("],".utf8) + line.dropFirst() }
        return number == 0 ? Array(line) : [UInt8(ascii: ",")] + line
    }
}
