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
        let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee)
        if driver.receive(bytes, exchange) { size.pointee = 0 }
        return .yes
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
        let headerLimit = settings.limits.headerBytes
        guard exchange.target.utf8.count <= headerLimit else {
            return refuse(exchange, 414, "The address must not exceed \(headerLimit) bytes.")
        }
        guard exchange.headerBytes <= headerLimit else {
            return refuse(exchange, 431, "The headers must not exceed \(headerLimit) bytes.")
        }
        let inputLimit = settings.inputLimit(method, exchange.target)
        let limit = inputLimit ?? settings.limits.bodyBytes
        let length = exchange.headers["content-length"].map { Int($0) ?? .max } ?? 0
        guard length <= limit else { return refuse(exchange, 413, Self.tooLong(limit)) }
        guard let inputLimit else { return .yes }
        receivePieces(of: exchange, limit: inputLimit)
        return .yes
    }

    private static func tooLong(_ limit: Int) -> String {
        "The content must not exceed \(limit) bytes."
    }

    /// Hands a request to the owner before its content, which arrives when the owner reads it.
    private func receivePieces(of exchange: Exchange, limit: Int) {
        let input = HTTPInput(maximumBytes: limit)
        let (number, post) = (exchange.number, post)
        input.attach { post { driver in driver.more(number) } }
        exchange.input = input
        finishReceiving(exchange)
    }

    /// Receives a part of the content.
    ///
    /// - Returns: Whether it was received; otherwise it comes again when the connection continues.
    fileprivate func receive(
        _ bytes: UnsafeRawBufferPointer, _ exchange: Exchange
    ) -> Bool {
        if let input = exchange.input {
            guard !input.add(bytes) else { return true }
            suspend(exchange)
            return false
        }
        // Only content without a length can be too long here. libmicrohttpd takes no response before its end.
        guard exchange.body.count + bytes.count <= settings.limits.bodyBytes else {
            exchange.isTooLong = true
            exchange.body = []
            return true
        }
        if !exchange.isTooLong { exchange.body += bytes }
        return true
    }

    /// The request has arrived, or may continue, or its response is there.
    fileprivate func proceed(_ exchange: Exchange) -> MHD_Result {
        switch exchange.phase {
        case .receiving where exchange.isTooLong:
            return refuse(exchange, 413, Self.tooLong(settings.limits.bodyBytes))
        case .receiving: finishReceiving(exchange)
        case .answered where exchange.hasShortUnreadInput: beginInput(of: exchange)
        case .answered(let response):
            exchange.phase = .queued
            return queue(response, for: exchange)
        case .waiting where exchange.input != nil:
            if exchange.hasInputBegun {
                finishInput(of: exchange)
            } else {
                beginInput(of: exchange)
            }
        case .waiting, .queued: break
        }
        return .yes
    }

    /// Answers without the owner, and closes the connection.
    private func refuse(_ exchange: Exchange, _ status: Int, _ problem: String) -> MHD_Result {
        exchange.phase = .queued
        var response = settings.refuse(status, problem)
        response.headers.append(("Connection", "close"))
        return queue(response, for: exchange)
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
