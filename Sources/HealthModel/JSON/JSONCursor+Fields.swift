/// Reads the values of a record's keys. An error names the key.
extension JSONCursor {
    /// Reads a string.
    package mutating func readString(for key: String) throws(RecordDecodingError) -> String {
        guard peek() == UInt8(ascii: "\"") else { throw invalid(key, "a string") }
        return try string(readText())
    }

    /// Reads a string, or nil for `null`.
    package mutating func readOptionalString(for key: String) throws(RecordDecodingError) -> String?
    {
        if take(literal: "null") { return nil }
        return try readString(for: key)
    }

    /// Reads a number.
    package mutating func readNumber(for key: String) throws(RecordDecodingError) -> Double {
        guard let first = peek(), first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10
        else { throw invalid(key, "a number") }
        return try readNumber()
    }

    /// Reads `true` or `false`.
    package mutating func readBoolean(for key: String) throws(RecordDecodingError) -> Bool {
        if take(literal: "true") { return true }
        if take(literal: "false") { return false }
        throw invalid(key, "true or false")
    }

    mutating func openObject(for key: String) throws(RecordDecodingError) {
        guard take("{") else { throw invalid(key, "an object") }
    }

    /// Reads a UUID.
    package mutating func readID() throws(RecordDecodingError) -> RecordID {
        try readText(for: "id", expected: "a UUID", fromBytes: RecordID.init(uuidBytes:))
    }

    mutating func readInstant(for key: String) throws(RecordDecodingError) -> Instant {
        try readText(
            for: key, expected: "a time such as 2026-11-21T18:15:00Z, from 1678 to 2261",
            fromBytes: Instant.init(iso8601Bytes:))
    }

    /// Reads a value from the bytes of a string, without creating the string when it has no
    /// escapes.
    package mutating func readText<Value>(
        for key: String, expected: String, fromBytes make: (UnsafeRawBufferPointer) -> Value?
    ) throws(RecordDecodingError) -> Value {
        guard peek() == UInt8(ascii: "\"") else { throw invalid(key, expected) }
        let start = position
        let text = try readText()
        let value =
            text.hasEscapes
            ? Array(try string(text).utf8).withUnsafeBytes { make($0) }
            : make(UnsafeRawBufferPointer(rebasing: bytes[text.range]))
        guard let value else { throw .invalidValue(key: key, expected: expected, offset: start) }
        return value
    }

    /// Reads the name of a type.
    package mutating func readType(
        among types: QuantityTypes, allowingUndeclared: Bool
    ) throws(RecordDecodingError) -> RecordType {
        let (text, start) = try readPlainText(for: "type")
        if let type = types.named(text) { return .quantity(type) }
        if let type = RecordType.other(named: text) { return type }
        guard allowingUndeclared, QuantityType.isValidName(text) else {
            throw .unknownType(offset: start)
        }
        // The record's unit may follow later.
        return .quantity(QuantityType(undeclared: text, unit: .count))
    }

    /// Reads the name of a unit.
    package mutating func readUnit(for key: String) throws(RecordDecodingError) -> Unit {
        let (text, start) = try readPlainText(for: key)
        do {
            return try Unit(parsing: text)
        } catch {
            throw .invalidValue(key: key, expected: "a unit: \(error.reason)", offset: start)
        }
    }

    mutating func readPerson() throws(RecordDecodingError) -> String {
        let (text, start) = try readPlainText(for: "person")
        guard Person.isValidName(text) else {
            throw .invalidValue(
                key: "person", expected: "a name of \(Person.nameRule)", offset: start)
        }
        return text
    }

    mutating func readKind(
        allowingDeletion: Bool
    ) throws(RecordDecodingError) -> RecordDraft.Kind {
        let (text, start) = try readPlainText(for: "kind")
        guard let kind = RecordDraft.Kind(rawValue: text), allowingDeletion || kind != .deletion
        else {
            throw .unsupportedKind(offset: start)
        }
        return kind
    }

    mutating func readEventName() throws(RecordDecodingError) {
        let (text, start) = try readPlainText(for: "event")
        guard text == "device" else {
            throw .invalidValue(key: "event", expected: "device", offset: start)
        }
    }

    mutating func readDevice() throws(RecordDecodingError) -> Device {
        try openObject(for: "device")
        var fields: [Device.Field: String] = [:]
        var seen: Set<Device.Field> = []
        var isFirst = true
        while let text = try nextKey(isFirst: &isFirst) {
            let key = try string(text)
            guard let field = Device.Field(rawValue: key) else {
                try skipValue()
                continue
            }
            guard seen.insert(field).inserted else { throw duplicate(key, text) }
            fields[field] = try readOptionalString(for: "device.\(key)")
        }
        return Device(fields: fields)
    }

    mutating func readSource() throws(RecordDecodingError) -> SourceRevision {
        try openObject(for: "source")
        var seen: Set<String> = []
        var name: String?
        var version: String?
        var isFirst = true
        while let text = try nextKey(isFirst: &isFirst) {
            let key = try string(text)
            guard key == "name" || key == "version" else {
                try skipValue()
                continue
            }
            guard seen.insert(key).inserted else { throw duplicate(key, text) }
            if key == "name" {
                name = try readString(for: "source.name")
            } else {
                version = try readOptionalString(for: "source.version")
            }
        }
        guard let name else { throw .missingKey("source.name") }
        return SourceRevision(name: name, version: version)
    }

    mutating func readState() throws(RecordDecodingError) -> DeviceState {
        try openObject(for: "state")
        var seen: Set<String> = []
        var connection: DeviceState.Connection?
        var contact: Bool?
        var battery: Double?
        var isFirst = true
        while let text = try nextKey(isFirst: &isFirst) {
            let key = try string(text)
            guard ["connection", "contact", "battery"].contains(key) else {
                try skipValue()
                continue
            }
            guard seen.insert(key).inserted else { throw duplicate(key, text) }
            if take(literal: "null") { continue }
            switch key {
            case "connection": connection = try readConnection()
            case "contact": contact = try readBoolean(for: "state.contact")
            default: battery = try readBattery()
            }
        }
        return DeviceState(connection: connection, contact: contact, battery: battery)
    }

    private mutating func readConnection() throws(RecordDecodingError) -> DeviceState.Connection {
        let (text, start) = try readPlainText(for: "state.connection")
        guard let connection = DeviceState.Connection(rawValue: text) else {
            let names = DeviceState.Connection.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidValue(
                key: "state.connection", expected: "one of \(names)", offset: start)
        }
        return connection
    }

    private mutating func readBattery() throws(RecordDecodingError) -> Double {
        skipSpace()
        let start = position
        let battery = try readNumber(for: "state.battery")
        guard DeviceState.batteryRange.contains(battery) else {
            throw .invalidValue(key: "state.battery", expected: "from 0 to 1", offset: start)
        }
        return battery
    }

    /// Reads a string and returns it with its start.
    mutating func readPlainText(
        for key: String
    ) throws(RecordDecodingError) -> (text: String, start: Int) {
        skipSpace()
        let start = position
        return (try readString(for: key), start)
    }

    /// The error for a value at the current position.
    package func invalid(_ key: String, _ expected: String) -> RecordDecodingError {
        .invalidValue(key: key, expected: expected, offset: position)
    }

    /// The error for a second occurrence of a key.
    package func duplicate(_ key: String, _ text: Text) -> RecordDecodingError {
        .duplicateKey(key, offset: text.range.lowerBound - 1)
    }
}
