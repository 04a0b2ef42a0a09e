import CCurl
import Glibc

// What libcurl calls, on the thread of the client, while it works on the transfer.
extension Transfer {
    fileprivate func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        answer.takeHeader(bytes) ? bytes.count : 0
    }

    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        answer.takeBody(bytes) ? bytes.count : 0
    }

    fileprivate func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, request.body.count - sent)
        request.body.withUnsafeBytes { body in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: body[sent..<(sent + count)]))
        }
        sent += count
        return count
    }

    /// A connection that was kept may turn out to be closed; then all is sent again on a new one.
    fileprivate func rewindBody(to offset: Int) -> Bool {
        guard (0...request.body.count).contains(offset) else { return false }
        sent = offset
        return true
    }

    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

func transferTakesHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Transfer.from(context)?.takeHeader(line) ?? 0
}

func transferTakesBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Transfer.from(context)?.takeBody(piece) ?? 0
}

func transferGivesBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return Transfer.from(context)?.giveBody(buffer) ?? Int(CURL_READFUNC_ABORT)
}

func transferRewindsBody(
    _ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32
) -> Int32 {
    guard origin == SEEK_SET, let transfer = Transfer.from(context) else {
        return CURL_SEEKFUNC_CANTSEEK
    }
    return transfer.rewindBody(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}
