/// A place in a file from which an import can continue.
package struct FilePlace: Hashable, Sendable {
    /// The number of bytes at the start of the file that are read again first: the root of XML, the
    /// names of the columns of CSV.
    var headCount: Int
    /// The number of bytes before the place.
    var offset: Int
    /// The number of the line there.
    var line: Int
}
