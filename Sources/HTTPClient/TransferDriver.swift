import CCurl
import Glibc
import Platform

/// Runs all requests in progress with the libcurl multi interface.
///
/// It is accessed only by the thread of the client, and owns the idle connections.
final class TransferDriver: LoopDriver {
    /// The maximum number of idle connections.
    private static let maximumIdleConnections = 4

    /// libcurl and its multi handle.
    private struct Multi {
        let curl: CurlLibrary
        let handle: UnsafeMutableRawPointer
    }

    private let options: HTTPClientOptions
    private var multi: Multi?
    private var transfers: [UInt64: Transfer] = [:]

    init(options: HTTPClientOptions) {
        self.options = options
    }

    deinit {
        cancelAll()
        releaseMulti()
    }

    var isIdle: Bool { transfers.isEmpty }

    func process() -> Bool {
        guard !isIdle, let multi else { return false }
        var running: Int32 = 0
        let code = multi.curl.functions.multi_perform(multi.handle, &running)
        if code == CURLM_OK { finishTransfers(multi) } else { failAll(code) }
        return false
    }

    /// Without requests the thread waits for a posted command only.
    func nextWait() -> LoopWait { isIdle ? .wakeUpOnly : .byDriver }

    func wait(for wakeUp: Int32, mayBlock: Bool) -> Bool {
        guard let multi else { return false }
        var wakeUp = curl_waitfd(fd: wakeUp, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        let code = multi.curl.functions.multi_poll(
            multi.handle, &wakeUp, 1, mayBlock ? .max : 0, nil)
        if code != CURLM_OK { failAll(code) }
        return wakeUp.revents != 0
    }

    /// Cancels a transfer; an unknown number is ignored.
    func cancel(_ number: UInt64) {
        remove(number)?.finish(throwing: CancellationError())
    }

    /// Cancels all transfers.
    func cancelAll() {
        for number in Array(transfers.keys) { cancel(number) }
    }

    func start(
        _ number: UInt64, _ request: HTTPRequest, _ continuation: Transfer.Continuation
    ) {
        let multi: Multi
        do throws(HTTPError) {
            multi = try startedMulti()
        } catch {
            return continuation.resume(throwing: error)
        }
        guard
            let transfer = Transfer(
                request, curl: multi.curl, options: options, continuation: continuation)
        else { return continuation.resume(throwing: Self.cannotStart) }
        do throws(HTTPError) {
            try transfer.setUp()
        } catch {
            return transfer.finish(throwing: error)
        }
        let code = multi.curl.functions.multi_add_handle(multi.handle, transfer.handle)
        guard code == CURLM_OK else {
            return transfer.finish(throwing: Self.failure(code, multi.curl))
        }
        transfers[number] = transfer
    }

    private func startedMulti() throws(HTTPError) -> Multi {
        if let multi { return multi }
        let curl = try CurlLibrary.open()
        guard let handle = curl.functions.multi_init() else { throw Self.cannotStart }
        ccurl_multi_set_long(curl.table, handle, CURLMOPT_MAXCONNECTS, Self.maximumIdleConnections)
        let started = Multi(curl: curl, handle: handle)
        multi = started
        return started
    }

    private func finishTransfers(_ multi: Multi) {
        var left: Int32 = 0
        while let message = multi.curl.functions.multi_info_read(multi.handle, &left) {
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
        guard let transfer = transfers.removeValue(forKey: number), let multi else { return nil }
        // It was added, and no callback is running, so this cannot fail.
        _ = multi.curl.functions.multi_remove_handle(multi.handle, transfer.handle)
        return transfer
    }

    /// Fails all transfers when libcurl is out of resources; the next request initializes it again.
    private func failAll(_ code: CURLMcode) {
        guard let curl = multi?.curl else { return }
        for number in Array(transfers.keys) {
            remove(number)?.finish(throwing: Self.failure(code, curl))
        }
        releaseMulti()
    }

    private func releaseMulti() {
        guard let multi else { return }
        _ = multi.curl.functions.multi_cleanup(multi.handle)
        self.multi = nil
    }

    private static let cannotStart = HTTPError(
        .failed, "libcurl cannot be initialized: out of memory")

    private static func failure(_ code: CURLMcode, _ curl: CurlLibrary) -> HTTPError {
        let words = curl.functions.multi_strerror(code).map { String(cString: $0) } ?? ""
        return HTTPError(.failed, "\(words) [curl multi \(code.rawValue)]")
    }
}
