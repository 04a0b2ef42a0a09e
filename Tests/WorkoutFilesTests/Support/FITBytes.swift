/// Puts FIT files together byte by byte, as other programs write them.
struct FITBytes {
    private(set) var data: [UInt8] = []

    /// A definition: the numbers, sizes and types of the fields, and the sizes of developer fields.
    mutating func define(
        _ local: UInt8, _ message: UInt16, bigEndian: Bool = false,
        _ fields: [(number: UInt8, size: UInt8, type: UInt8)], developer: [UInt8] = []
    ) {
        let number = [UInt8(message >> 8), UInt8(message & 0xFF)]
        data += [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, bigEndian ? 1 : 0]
        data += bigEndian ? number : number.reversed()
        data.append(UInt8(fields.count))
        for field in fields { data += [field.number, field.size, field.type] }
        guard !developer.isEmpty else { return }
        data.append(UInt8(developer.count))
        for size in developer { data += [0, size, 0] }
    }

    mutating func add(_ header: UInt8, _ bytes: [UInt8]) {
        data.append(header)
        data += bytes
    }

    /// What a strap stored: an anchor at a second, then beats with their times in 1/1024 s.
    static func strap(
        at second: UInt32, anchor: UInt32, beats: [(ticks: UInt32, rate: UInt8)]
    ) -> FITBytes {
        var fit = FITBytes()
        fit.define(0, 132, [(253, 4, 0x86), (0, 2, 0x84), (6, 1, 0x02), (9, 4, 0x86)])
        fit.add(0, FITBytes.little(second) + [0, 0, 100] + FITBytes.little(anchor))
        fit.define(1, 132, [(6, 2, 0x02), (10, 3, 0x0D)])
        for pair in stride(from: 0, to: beats.count, by: 2) {
            let (first, second) = (beats[pair], beats[pair + 1])
            let bits = (anchor &+ first.ticks) & 0xFFF | ((anchor &+ second.ticks) & 0xFFF) << 12
            fit.add(1, [first.rate, second.rate] + FITBytes.little(bits).prefix(3))
        }
        return fit
    }

    /// The file, with checksums that fit.
    func file() -> [UInt8] { Self.file(data) }

    static func file(_ data: [UInt8]) -> [UInt8] {
        let count = data.count
        var file: [UInt8] = [12, 0x10, 0, 0]
        file += [0, 8, 16, 24].map { UInt8(count >> $0 & 0xFF) }
        file += Array(".FIT".utf8) + data
        let checksum = checksum(file)
        return file + [UInt8(checksum & 0xFF), UInt8(checksum >> 8)]
    }

    /// The checksum with the table of the FIT Protocol, four bits at a time.
    static func checksum(_ bytes: [UInt8]) -> UInt16 {
        let table: [UInt16] = [
            0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800,
            0xB401, 0x5000, 0x9C01, 0x8801, 0x4400,
        ]
        return bytes.reduce(0) { checksum, byte in
            let low = checksum >> 4 & 0x0FFF ^ table[Int(checksum & 0xF)] ^ table[Int(byte & 0xF)]
            return low >> 4 & 0x0FFF ^ table[Int(low & 0xF)] ^ table[Int(byte >> 4)]
        }
    }

    static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
    }

    static func little(_ number: UInt32) -> [UInt8] { big(number).reversed() }
}
