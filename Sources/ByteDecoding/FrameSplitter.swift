/// Finds frames of a layout in a stream of bytes, however the bytes arrive.
///
/// The bytes that start and end a frame may occur inside it too, so a frame counts only when everything
/// in its layout matches. Otherwise the search continues one byte further: no whole frame is lost behind
/// a corrupt one.
public struct FrameSplitter: Sendable {
    /// A piece of the stream.
    public enum Piece: Hashable, Sendable {
        /// A whole frame, with its start, check and end bytes.
        case frame(ArraySlice<UInt8>)
        /// Bytes that belong to no frame; reported once for a run of them.
        case corrupt
    }

    /// How frames look.
    public let layout: FrameLayout
    /// Bytes that may be the beginning of a frame: never as many as the longest frame.
    private var pending: [UInt8] = []
    private var isSearching = false

    /// Makes a splitter for frames of this layout.
    public init(_ layout: FrameLayout) {
        self.layout = layout
    }

    /// Discards the beginning of a frame.
    public mutating func reset() {
        pending.removeAll(keepingCapacity: true)
        isSearching = false
    }

    /// Adds bytes and hands on the pieces that they complete.
    public mutating func split(_ bytes: [UInt8], _ body: (Piece) -> Void) {
        pending += bytes
        var start = 0
        search: while start < pending.count {
            switch layout.match(pending[start...]) {
            case .incomplete:
                break search
            case .frame(let length):
                body(.frame(pending[start..<(start + length)]))
                start += length
                isSearching = false
            case .mismatch:
                if !isSearching { body(.corrupt) }
                start += 1
                isSearching = true
            }
        }
        pending.removeSubrange(..<start)
    }
}
