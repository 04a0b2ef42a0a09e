import CCurl
import Glibc

// The callbacks of libcurl, which run on the thread of the client.
extension Transfer {
    fileprivate func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        response.receiveHeader(bytes) ? bytes.count : 0
    }

    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        response.receiveBody(bytes) ? bytes.count : 0
    }

    fileprivate func readBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, request.body.count - sent)
        request.body.withUnsafeBytes { body in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: body[sent..<(sent + count)]))
        }
        sent += count
        return count
    }

    /// Rewinds the body, to send it again when a reused connection turns out to be closed.
    fileprivate func rewindBody(to offset: Int) -> Bool {
        guard (0...request.body.count).contains(offset) else { return false }
        sent = offset
        return true
    }

    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

func transferHeaderCallback(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Transfer.from(context)?.receiveHeader(line) ?? 0
}

func transferWriteCallback(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Transfer.from(context)?.receiveBody(piece) ?? 0
}

func transferReadCallback(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return Transfer.from(context)?.readBody(buffer) ?? Int(CURL_READFUNC_ABORT)
}

func transferSeekCallback(
    _ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32
) -> Int32 {
    guard origin == SEEK_SET, let transfer = Transfer.from(context) else {
        return CURL_SEEKFUNC_CANTSEEK
    }
    return transfer.rewindBody(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}
