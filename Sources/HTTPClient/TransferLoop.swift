import CCurl

/// All requests under way, in the hands of libcurl.
///
/// Only the thread of the client touches it; connections that may be used again live here too.
final class TransferLoop {
    /// So many connections are kept while no request uses them.
    private static let keptConnections = 4

    /// libcurl is got ready once, when it is first needed, and then for the life of the process.
    private static let library = curl_global_init(ccurl_global_everything())

    private let options: HTTPClientOptions
    private var multi: UnsafeMutableRawPointer?
    private var transfers: [UInt64: Transfer] = [:]

    init(options: HTTPClientOptions) {
        self.options = options
    }

    deinit {
        cancelAll()
        if let multi { curl_multi_cleanup(multi) }
    }

    /// Whether there is something to wait for beside orders.
    var isBusy: Bool { !transfers.isEmpty }

    func take(_ order: TransferOrder) {
        switch order {
        case .start(let number, let request, let continuation):
            start(number, request, continuation)
        case .cancel(let number):
            remove(number)?.finish(throwing: CancellationError())
        }
    }

    /// Does what can be done without waiting.
    func perform() {
        guard isBusy else { return }
        var running: Int32 = 0
        let code = curl_multi_perform(multi, &running)
        guard code == CURLM_OK else { return failAll(code) }
        finishTransfers()
    }

    /// Waits until libcurl has something to do or a descriptor can be read.
    ///
    /// Answers whether that descriptor can.
    func wait(for descriptor: Int32, atMostMilliseconds limit: Int32) -> Bool {
        var wakeUp = curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        let code = curl_multi_poll(multi, &wakeUp, 1, limit, nil)
        if code != CURLM_OK { failAll(code) }
        return wakeUp.revents != 0
    }

    /// Lets nobody wait for ever.
    private func cancelAll() {
        for number in Array(transfers.keys) {
            remove(number)?.finish(throwing: CancellationError())
        }
    }

    private func start(
        _ number: UInt64, _ request: HTTPRequest, _ continuation: Transfer.Continuation
    ) {
        guard let multi = startedMulti(),
            let transfer = Transfer(request, options: options, continuation: continuation)
        else {
            return continuation.resume(
                throwing: HTTPError(
                    .failed, origin: request.url.origin, "libcurl cannot be started"))
        }
        do throws(HTTPError) {
            try transfer.setUp()
        } catch {
            return transfer.finish(throwing: error)
        }
        let code = curl_multi_add_handle(multi, transfer.handle)
        guard code == CURLM_OK else { return transfer.finish(throwing: Self.failure(code)) }
        transfers[number] = transfer
    }

    private func startedMulti() -> UnsafeMutableRawPointer? {
        guard Self.library == CURLE_OK else { return nil }
        if multi == nil {
            multi = curl_multi_init()
            ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.keptConnections)
        }
        return multi
    }

    private func finishTransfers() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            // The message does not outlive the handle in the multi handle.
            let code = ccurl_message_result(message)
            let handle = message.pointee.easy_handle
            guard let number = transfers.first(where: { $0.value.handle == handle })?.key else {
                continue
            }
            remove(number)?.finish(code)
        }
    }

    private func remove(_ number: UInt64) -> Transfer? {
        guard let transfer = transfers.removeValue(forKey: number) else { return nil }
        curl_multi_remove_handle(multi, transfer.handle)
        return transfer
    }

    /// libcurl has no memory or no descriptors left; the next request finds it started anew.
    private func failAll(_ code: CURLMcode) {
        for number in Array(transfers.keys) {
            remove(number)?.finish(throwing: Self.failure(code))
        }
        if let multi { curl_multi_cleanup(multi) }
        multi = nil
    }

    private static func failure(_ code: CURLMcode) -> HTTPError {
        HTTPError(
            .failed, "\(String(cString: curl_multi_strerror(code))) [curl multi \(code.rawValue)]")
    }
}

/// What the thread of a client is told.
enum TransferOrder: Sendable {
    case start(UInt64, HTTPRequest, Transfer.Continuation)
    /// A number that is not known, or not any more, is nothing to cancel.
    case cancel(UInt64)
}
