package import HealthModel

/// A filter of JSON lines by record type, and of deletions, that mostly avoids decoding.
///
/// Lines are written by ``RecordEncoder``: a sample starts with its 36-character id and its type.
/// Other lines are decoded.
package struct TypeFilter {
    private static let start = Array("{\"id\":\"".utf8)
    private static let middle = Array("\",\"type\":\"".utf8)
    private static let event = Array("{\"kind\":\"event\",".utf8)
    private static let idLength = 36

    /// The types that pass; nil for all records.
    private let types: Set<RecordType>?
    private let names: [[UInt8]]
    private let acceptsDeletions: Bool

    /// Makes a filter; nil when everything passes.
    ///
    /// - Parameter types: The types that pass, with their deletions; nil for all records.
    package init?(_ types: Set<RecordType>?, acceptingDeletions: Bool) {
        guard types != nil || !acceptingDeletions else { return nil }
        self.types = types
        names = (types ?? []).map { Array($0.name.utf8) }
        acceptsDeletions = acceptingDeletions
    }

    /// Whether all of these lines pass, as nearly always without a filter by type.
    func passes(_ lines: RecordLines) -> Bool {
        types == nil
            && (0..<lines.count).allSatisfy { !lines[$0].starts(with: RecordEncoder.deletionStart) }
    }

    /// Returns whether a line passes the filter; nil if it is not a record.
    package func isWanted(_ line: ArraySlice<UInt8>, _ decoder: inout RecordDecoder) -> Bool? {
        let isDeletion = line.starts(with: RecordEncoder.deletionStart)
        guard !isDeletion || acceptsDeletions else { return false }
        guard let types else { return true }
        if line.starts(with: Self.event) { return false }
        if let name = Self.typeName(line) { return names.contains { $0.elementsEqual(name) } }
        guard let record = try? decoder.decode(line) else { return nil }
        if isDeletion { return types.contains { $0.name == record.typeName } }
        return record.type.map(types.contains) ?? false
    }

    /// Returns the name of the type at its usual position; nil if uncertain.
    private static func typeName(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let name = line.dropFirst(start.count + idLength + middle.count)
        guard line.starts(with: start),
            line.dropFirst(start.count + idLength).starts(with: middle),
            let end = name.firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return name[..<end].contains(UInt8(ascii: "\\")) ? nil : name[..<end]
    }
}
