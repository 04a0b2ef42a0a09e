import SQLite

extension RecordTally.Sums {
    /// Adds up what is in a store.
    init(ofStoreAt path: String) throws {
        self.init()
        let store = try SQLiteConnection(path: path, access: .readOnly)
        try store.prepare("SELECT id, value FROM sample").forEachRow { row in
            let id = Self.id(of: row)
            add(high: id.high, low: id.low, value: row.real(at: 1))
        }
        try store.prepare("SELECT id FROM event").forEachRow { row in
            let id = Self.id(of: row)
            add(high: id.high, low: id.low, value: nil)
        }
    }

    private static func id(of row: SQLiteStatement) -> (high: UInt64, low: UInt64) {
        row.withBlob(at: 0) { bytes in
            guard bytes.count == 16 else { return (0, 0) }
            return (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}
