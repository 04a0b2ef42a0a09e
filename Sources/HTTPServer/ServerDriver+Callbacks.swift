import CMicrohttpd
import Glibc

// The callbacks of libmicrohttpd, which run on the thread of the server.

func serverBeginCallback(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>,
    _ connection: OpaquePointer
) -> UnsafeMutableRawPointer? {
    guard let driver = ServerDriver.from(context) else { return nil }
    // Bytes that are not UTF-8 make a target that no request has.
    let exchange = driver.begin(String(cString: target), on: connection)
    return Unmanaged.passRetained(exchange).toOpaque()
}

func serverHandleCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let driver = ServerDriver.from(context), !driver.isClosing, let size, let method,
        let exchange = Exchange.from(request?.pointee)
    else { return .no }
    if !exchange.hasHeaders {
        return driver.receiveHeaders(of: exchange, method: String(cString: method))
    }
    if size.pointee > 0, let data {
        defer { size.pointee = 0 }
        return driver.receive(UnsafeRawBufferPointer(start: data, count: size.pointee), exchange)
    }
    return driver.proceed(exchange)
}

func serverCompleteCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ reason: MHD_RequestTerminationCode
) {
    guard let pointer = request?.pointee else { return }
    request?.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    exchange.driver.end(exchange)
}

func serverNotifyCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ code: MHD_ConnectionNotificationCode
) {
    guard let driver = ServerDriver.from(context), let connection else { return }
    if cmicrohttpd_is_start(code) != 0 {
        driver.open(connection)
    } else {
        driver.closed(connection)
    }
}

private func headerCallback(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let exchange = Exchange.from(context), let name else { return .no }
    exchange.add(String(cString: name), value.map { String(cString: $0) } ?? "")
    return .yes
}

private func readCallback(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64,
    _ buffer: UnsafeMutablePointer<CChar>?, _ limit: Int
) -> Int {
    guard let exchange = Exchange.from(context) else { return cmicrohttpd_end_with_error() }
    return exchange.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: limit))
}

private func releaseCallback(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<Exchange>.fromOpaque(context).release()
}

extension MHD_Result {
    fileprivate static var yes: MHD_Result { cmicrohttpd_result(1) }
    fileprivate static var no: MHD_Result { cmicrohttpd_result(0) }
}

extension Exchange {
    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension ServerDriver {
    fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> ServerDriver? {
        context.map { Unmanaged<ServerDriver>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The size of the pieces in which an output is sent.
    private static let blockSize = 4_096

    fileprivate func receiveHeaders(of exchange: Exchange, method: String) -> MHD_Result {
        exchange.hasHeaders = true
        exchange.method = method
        cmicrohttpd_headers(
            settings.library.table, exchange.connection, headerCallback,
            Unmanaged.passUnretained(exchange).toOpaque())
        guard exchange.hasClearLength else {
            return refuse(exchange, 400, "The length of the content is not clear.")
        }
        let length = exchange.headers["content-length"].flatMap { Int($0) } ?? 0
        guard length <= settings.limits.bodyBytes else {
            return refuse(
                exchange, 413, "The content must not exceed \(settings.limits.bodyBytes) bytes.")
        }
        return .yes
    }

    fileprivate func receive(
        _ bytes: UnsafeRawBufferPointer, _ exchange: Exchange
    ) -> MHD_Result {
        // Only a body without a length gets here; the connection is closed.
        guard exchange.body.count + bytes.count <= settings.limits.bodyBytes else { return .no }
        exchange.body += bytes
        return .yes
    }

    /// The request has arrived, or its response is there.
    fileprivate func proceed(_ exchange: Exchange) -> MHD_Result {
        switch exchange.phase {
        case .receiving:
            finishReceiving(exchange)
            return .yes
        case .answered(let response):
            exchange.phase = .queued
            return queue(response, for: exchange)
        case .waiting, .queued: return .yes
        }
    }

    /// Answers before the content, and closes the connection.
    private func refuse(_ exchange: Exchange, _ status: Int, _ text: String) -> MHD_Result {
        exchange.phase = .queued
        return queue(
            HTTPServerResponse(
                status,
                headers: [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")],
                body: .bytes(Array("\(text)\n".utf8))), for: exchange)
    }

    private func queue(
        _ response: HTTPServerResponse, for exchange: Exchange
    ) -> MHD_Result {
        guard let made = make(response, exchange) else { return .no }
        defer { mhd.destroy_response(made) }
        for (name, value) in response.headers {
            guard cmicrohttpd_is_yes(mhd.add_response_header(made, name, value)) != 0 else {
                return .no
            }
        }
        return mhd.queue_response(exchange.connection, UInt32(response.status), made)
    }

    private func make(
        _ response: HTTPServerResponse, _ exchange: Exchange
    ) -> OpaquePointer? {
        switch response.body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { raw in
                cmicrohttpd_response(settings.library.table, raw.baseAddress, raw.count)
            }
        case .output:
            let context = Unmanaged.passRetained(exchange).toOpaque()
            let made = mhd.create_response_from_callback(
                cmicrohttpd_unknown_size(), Self.blockSize, readCallback, context,
                releaseCallback)
            if made == nil { releaseCallback(context) }
            return made
        }
    }
}
