/// A QR code of a text (ISO/IEC 18004), in byte mode with error correction level L.
///
/// A camera reads it from a screen; level L is enough there.
package struct QRCode: Equatable, Sendable {
    /// The maximum length of the text in UTF-8, that of version 9.
    package static let lengthLimit = 230

    /// The number of modules on a side.
    package let size: Int
    /// The modules by row; true is dark.
    package let rows: [[Bool]]

    /// Makes the code of a text; nil when the text is longer than ``lengthLimit``.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.all.first(where: { $0.capacity >= bytes.count }) else {
            return nil
        }
        let codewords = version.codewords(of: bytes)
        let blank = QRMatrix(version)
        let candidates = (0..<8).map { mask in
            var matrix = blank
            matrix.place(codewords, mask: mask)
            matrix.drawFormat(mask: mask)
            return matrix
        }
        // Of the masks the one that is easiest to read; there are eight candidates.
        let best = candidates.min { $0.penalty < $1.penalty } ?? blank
        size = version.size
        rows = best.modules
    }
}
