import HealthModel

/// A filter of JSON lines by record type that mostly avoids decoding.
///
/// Lines are written by ``RecordEncoder``: a sample starts with its 36-character id and its type.
/// Other lines are decoded.
struct TypeFilter {
    private static let start = Array("{\"id\":\"".utf8)
    private static let middle = Array("\",\"type\":\"".utf8)
    private static let event = Array("{\"kind\":\"event\",".utf8)
    private static let idLength = 36

    private let types: Set<RecordType>
    private let names: [[UInt8]]

    init(_ types: Set<RecordType>) {
        self.types = types
        names = types.map { Array($0.name.utf8) }
    }

    /// Returns whether a line passes the filter; nil if it is not a record.
    func isWanted(_ line: ArraySlice<UInt8>, _ decoder: inout RecordDecoder) -> Bool? {
        if line.starts(with: Self.event) { return false }
        if let name = Self.typeName(line) { return names.contains { $0.elementsEqual(name) } }
        guard let record = try? decoder.decode(line) else { return nil }
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
