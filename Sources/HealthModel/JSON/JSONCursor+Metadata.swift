extension JSONCursor {
    /// Reads metadata.
    ///
    /// - Parameter followingRules: Whether to check the values of known keys; false for metadata
    /// that was
    ///   already accepted, perhaps by an earlier version.
    package mutating func readMetadata(
        followingRules: Bool = true
    ) throws(RecordDecodingError) -> Metadata {
        skipSpace()
        let start = position
        try openObject(for: "metadata")
        var metadata = Metadata()
        var isFirst = true
        while let text = try nextKey(isFirst: &isFirst) {
            let key = try string(text)
            guard key.utf8.count <= Metadata.maximumKeyLength else {  // an error may name the key
                throw .invalidValue(
                    key: "metadata", expected: "within its limits (\(MetadataError.key))",
                    offset: text.range.lowerBound - 1)
            }
            guard metadata[key] == nil else { throw duplicate(key, text) }
            let value = try readMetadataValue(for: "metadata.\(key)")
            do {
                try metadata.put(value, for: key, followingRules: followingRules)
            } catch {
                throw Self.decodingError(error, offset: text.range.lowerBound - 1)
            }
        }
        guard followingRules else { return metadata }
        do {
            try metadata.checkSync()
        } catch {
            throw Self.decodingError(error, offset: start)
        }
        return metadata
    }

    private static func decodingError(
        _ error: MetadataError, offset: Int
    ) -> RecordDecodingError {
        switch error {
        case .invalid(let key, let expected):
            .invalidValue(key: "metadata.\(key)", expected: expected, offset: offset)
        case .incomplete(let key, let missing):
            .invalidValue(
                key: "metadata.\(key)", expected: "set together with \(missing)", offset: offset)
        default:
            .invalidValue(
                key: "metadata", expected: "within its limits (\(error))", offset: offset)
        }
    }

    private mutating func readMetadataValue(
        for key: String
    ) throws(RecordDecodingError) -> MetadataValue {
        switch peek() {
        case UInt8(ascii: "\""): .string(try readString(for: key))
        case UInt8(ascii: "{"): try readMetadataObject(for: key)
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean(try readBoolean(for: key))
        case UInt8(ascii: "["), UInt8(ascii: "n"):
            throw .invalidValue(
                key: key,
                expected: "a string, a number, true, false, an object with value and unit, or an "
                    + "object with date", offset: position)
        default: .number(try readNumber(for: key))
        }
    }

    /// Reads `{"date":"…"}` or `{"value":72,"unit":"count/min"}`.
    private mutating func readMetadataObject(
        for key: String
    ) throws(RecordDecodingError) -> MetadataValue {
        let start = position
        try openObject(for: key)
        var date: Instant?
        var value: Double?
        var unit: Unit?
        var isFirst = true
        while let text = try nextKey(isFirst: &isFirst) {
            let name = try string(text)
            switch name {
            case "date" where date == nil: date = try readInstant(for: key + ".date")
            case "value" where value == nil: value = try readNumber(for: key + ".value")
            case "unit" where unit == nil: unit = try readUnit(for: key + ".unit")
            case "date", "value", "unit": throw duplicate(name, text)
            default: try skipValue()
            }
        }
        if let date, value == nil, unit == nil { return .date(date) }
        guard date == nil, let value, let unit, let quantity = try? Quantity(value, unit) else {
            throw .invalidValue(
                key: key, expected: "an object with value and unit, or with date", offset: start)
        }
        return .quantity(quantity)
    }
}
