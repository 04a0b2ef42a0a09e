/// Comparisons of the encoded bytes of values.
///
/// They are stricter than equality: Swift strings are equal when they are canonically equivalent,
/// such as `é` as one or as two scalars, and `-0` equals `0`.
extension Metadata {
    func hasSameText(as other: Metadata) -> Bool {
        if isCopy(of: other) { return true }
        return count == other.count
            && zip(self, other).allSatisfy {
                $0.key.hasSameBytes(as: $1.key) && $0.value.hasSameText(as: $1.value)
            }
    }
}

extension MetadataValue {
    fileprivate func hasSameText(as other: MetadataValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.number(let left), .number(let right)): left.bitPattern == right.bitPattern
        case (.quantity(let left), .quantity(let right)):
            left.value.bitPattern == right.value.bitPattern && left.unit == right.unit
        case (.boolean, _), (.date, _): self == other
        default: false
        }
    }
}

extension String? {
    func hasSameBytes(as other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.hasSameBytes(as: right)
        default: false
        }
    }
}

extension String {
    fileprivate func hasSameBytes(as other: String) -> Bool {
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                left.count == right.count
                    && UnsafeRawBufferPointer(left).hasBytes(UnsafeRawBufferPointer(right), at: 0)
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
