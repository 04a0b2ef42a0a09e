/// The body of a request, and the records of the batch that are not in it.
package struct RequestBody: Sendable, Equatable {
    /// The body.
    package let bytes: [UInt8]
    /// The number of records in the body; 0 means that there is nothing to send.
    package let count: Int
    /// The indexes of lines that are not records.
    package let invalid: [Int]
    /// The indexes of records that the format does not support.
    package let unsupported: [Int]

    init(bytes: [UInt8], count: Int, invalid: [Int] = [], unsupported: [Int] = []) {
        self.bytes = bytes
        self.count = count
        self.invalid = invalid
        self.unsupported = unsupported
    }
}
