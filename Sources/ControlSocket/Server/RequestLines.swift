/// Splits received bytes into request lines, and buffers at most one line.
package struct RequestLines {
    /// A line that exceeds the maximum length of a request.
    package struct TooLong: Error {}

    private var rest: ArraySlice<UInt8> = []

    /// Returns the lines that these bytes complete, without line breaks and empty lines.
    package mutating func append(_ bytes: [UInt8]) throws(TooLong) -> [ArraySlice<UInt8>] {
        var pieces = bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        pieces[0] = (rest + pieces[0])[...]
        guard pieces.allSatisfy({ $0.count <= ControlRequest.maximumLineLength }) else {
            throw TooLong()
        }
        rest = pieces.removeLast()
        return pieces.filter { !$0.isEmpty }
    }

    /// Returns the bytes after the last line break; nil if there are none.
    package mutating func finish() -> ArraySlice<UInt8>? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest
    }
}
