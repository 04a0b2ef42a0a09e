/// Cuts what a client sends into lines, and keeps no more of it than one line may have.
package struct RequestLines {
    /// A line has become longer than a request may be.
    package struct TooLong: Error {}

    private var rest: ArraySlice<UInt8> = []

    /// The lines that are whole with these bytes, without their ends; empty ones are left out.
    package mutating func take(_ bytes: [UInt8]) throws(TooLong) -> [ArraySlice<UInt8>] {
        var pieces = bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        pieces[0] = (rest + pieces[0])[...]
        guard pieces.allSatisfy({ $0.count <= ControlRequest.maximumLineLength }) else {
            throw TooLong()
        }
        rest = pieces.removeLast()
        return pieces.filter { !$0.isEmpty }
    }

    /// What came after the last line end; nil when nothing did.
    package mutating func finish() -> ArraySlice<UInt8>? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest
    }
}
