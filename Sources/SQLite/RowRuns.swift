/// Rows as runs, between whose ends the table has no other rows.
///
/// The text of a run is the distance of its first row from the row before it, and of its last row from
/// its first, both as variable-length integers of seven bits each (LEB128).
package struct RowRuns: Hashable, Sendable {
    /// In ascending order, without overlaps.
    package private(set) var runs: [ClosedRange<Int64>]

    /// Makes runs, in ascending order and apart.
    package init(_ runs: [ClosedRange<Int64>]) { self.runs = runs }

    /// Adds a run behind the others.
    package mutating func append(_ run: ClosedRange<Int64>) { runs.append(run) }

    /// Makes runs of rows in ascending order.
    ///
    /// - Parameter isConnected: Whether there is no other row between two rows of the list, and none in
    ///   the list between them is missing in the table.
    package init(
        ofSorted rows: some BidirectionalCollection<Int64>,
        isConnected: (Int64, Int64) throws -> Bool
    ) rethrows {
        runs = []
        for row in rows {
            if let last = runs.last, try isConnected(last.upperBound, row) {
                runs[runs.count - 1] = last.lowerBound...row
            } else {
                runs.append(row...row)
            }
        }
    }

    /// Makes runs of some rows of a list, without others of the list between them.
    ///
    /// - Parameter isConnected: Whether the table has no row between two rows.
    package init(
        of rows: [Int64], among all: [Int64], isConnected: (Int64, Int64) throws -> Bool
    ) rethrows {
        runs = []
        var (rest, group) = (rows[...], [Int64]())
        for row in all {
            while let first = rest.first, first < row { rest.removeFirst() }
            if rest.first == row {
                rest.removeFirst()
                if group.last != row { group.append(row) }
            } else {
                try append(group[...], isConnected)
                group = []
            }
        }
        try append(group[...], isConnected)
    }

    /// Adds neighbouring rows as one run, or in halves where the table has others between them.
    private mutating func append(
        _ rows: ArraySlice<Int64>, _ isConnected: (Int64, Int64) throws -> Bool
    ) rethrows {
        guard let first = rows.first, let last = rows.last else { return }
        guard try first != last && !isConnected(first, last) else {
            return runs.append(first...last)
        }
        let middle = rows.startIndex + rows.count / 2
        try append(rows[..<middle], isConnected)
        try append(rows[middle...], isConnected)
    }

    /// The encoded runs.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        // Differences wrap around, so that every pair of rows has one.
        var last: Int64 = 0
        for run in runs {
            bytes.append(variableLength: UInt64(bitPattern: run.lowerBound &- last))
            bytes.append(variableLength: UInt64(bitPattern: run.upperBound &- run.lowerBound))
            last = run.upperBound
        }
        return bytes
    }

    /// Decodes runs; nil when the bytes are damaged.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        runs = []
        var rest = bytes[...]
        var last: Int64 = 0
        while !rest.isEmpty {
            guard let gap = rest.popVariableLength(), let length = rest.popVariableLength() else {
                return nil
            }
            let first = last &+ Int64(bitPattern: gap)
            let end = first &+ Int64(bitPattern: length)
            guard first <= end, runs.isEmpty || first > last else { return nil }
            runs.append(first...end)
            last = end
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(variableLength value: UInt64) {
        var value = value
        while value >= 0x80 {
            append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        append(UInt8(value))
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Removes the next number; nil when it is cut or does not fit.
    fileprivate mutating func popVariableLength() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = popFirst() else { return nil }
            let bits = UInt64(byte & 0x7f)
            guard shift < 63 || bits < 2 else { return nil }
            value |= bits << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
