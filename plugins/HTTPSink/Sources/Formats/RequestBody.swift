/// The body of a request, and what of the batch is not in it.
package struct RequestBody: Sendable, Equatable {
    /// The body.
    package let bytes: [UInt8]
    /// How many records are in it; there is nothing to send when there is none.
    package let count: Int
    /// The places of lines that are no records, counted from 0.
    ///
    /// They will never be in a body of this format.
    package let unreadable: [Int]
    /// The places of records for which the format has no room, counted from 0.
    ///
    /// Each format's writer says which those are.
    package let leftOut: [Int]

    init(bytes: [UInt8], count: Int, unreadable: [Int] = [], leftOut: [Int] = []) {
        self.bytes = bytes
        self.count = count
        self.unreadable = unreadable
        self.leftOut = leftOut
    }
}
