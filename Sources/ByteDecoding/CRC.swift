/// A cyclic redundancy check of 8 to 32 bits, by the parameters of the Rocksoft model.
///
/// The catalogue of parametrised CRC algorithms (reveng.sourceforge.io) names them; each standard one
/// here is tested with the catalogue's check value, the CRC of the ASCII text `123456789`.
public struct CRC: Hashable, Sendable {
    /// CRC-8/SMBUS.
    public static let crc8 = CRC(width: 8, polynomial: 0x07)
    /// CRC-8/MAXIM-DOW, of 1-Wire devices and the Zephyr HxM.
    public static let crc8Maxim = CRC(width: 8, polynomial: 0x31, isReflected: true)
    /// CRC-16/ARC, of FIT files.
    public static let crc16ARC = CRC(width: 16, polynomial: 0x8005, isReflected: true)
    /// CRC-16/MODBUS.
    public static let crc16Modbus = CRC(
        width: 16, polynomial: 0x8005, initial: 0xFFFF, isReflected: true)
    /// CRC-16/XMODEM, the CCITT polynomial from 0.
    public static let crc16XModem = CRC(width: 16, polynomial: 0x1021)
    /// CRC-16/IBM-3740, also called CCITT-FALSE: the CCITT polynomial from 0xFFFF.
    public static let crc16CCITT = CRC(width: 16, polynomial: 0x1021, initial: 0xFFFF)
    /// CRC-32/ISO-HDLC, of Ethernet, gzip and PNG.
    public static let crc32 = CRC(
        width: 32, polynomial: 0x04C1_1DB7, initial: 0xFFFF_FFFF, isReflected: true,
        finalXOR: 0xFFFF_FFFF)
    /// CRC-32/ISCSI, also called CRC-32C (Castagnoli).
    public static let crc32C = CRC(
        width: 32, polynomial: 0x1EDC_6F41, initial: 0xFFFF_FFFF, isReflected: true,
        finalXOR: 0xFFFF_FFFF)

    /// The number of bits, 8 to 32.
    public let width: Int
    private let initial: UInt32
    private let isReflected: Bool
    private let finalXOR: UInt32
    /// The CRC of each byte; the register is aligned to the low end when reflected, else to the high end.
    private let table: [UInt32]

    /// Makes an algorithm from its parameters; `polynomial` is written without its highest bit, and not
    /// reflected.
    ///
    /// A width outside 8 to 32 becomes the nearest one inside.
    public init(
        width: Int, polynomial: UInt32, initial: UInt32 = 0, isReflected: Bool = false,
        finalXOR: UInt32 = 0
    ) {
        let width = min(max(width, 8), 32)
        self.width = width
        self.isReflected = isReflected
        self.finalXOR = finalXOR
        let shift = 32 - width
        self.initial = isReflected ? Self.reversed(initial << shift) : initial << shift
        let aligned = polynomial << shift
        table = (0..<256).map { Self.entry(UInt32($0), aligned, isReflected: isReflected) }
    }

    private static func entry(
        _ byte: UInt32, _ polynomial: UInt32, isReflected: Bool
    ) -> UInt32 {
        var register = isReflected ? byte : byte << 24
        let mirrored = reversed(polynomial)
        for _ in 0..<8 {
            if isReflected {
                register = register & 1 == 1 ? register >> 1 ^ mirrored : register >> 1
            } else {
                register =
                    register & 0x8000_0000 != 0 ? register << 1 ^ polynomial : register << 1
            }
        }
        return register
    }

    private static func reversed(_ value: UInt32) -> UInt32 {
        (0..<32).reduce(0) { result, bit in result << 1 | (value >> UInt32(bit) & 1) }
    }

    /// Calculates the CRC of bytes.
    public func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var register = initial
        for byte in bytes {
            if isReflected {
                register = register >> 8 ^ table[Int((register ^ UInt32(byte)) & 0xFF)]
            } else {
                register = register << 8 ^ table[Int((register >> 24 ^ UInt32(byte)) & 0xFF)]
            }
        }
        return (isReflected ? register : register >> UInt32(32 - width)) ^ finalXOR
    }
}
