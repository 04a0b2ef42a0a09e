import CCurl

/// libcurl, loaded on first use.
///
/// The program is not linked with it: most gateways do not use it, and it dominates the load time.
final class CurlLibrary: Sendable {
    private static let name = "libcurl.so.4"
    private static let installed = try? CurlLibrary(name)

    // Unsafe only for the compiler: it is written once, by the initializer, and holds the addresses of
    // functions that any thread may call.
    nonisolated(unsafe) let table: UnsafePointer<ccurl_functions>

    /// Returns the system's libcurl; after a failure the next call tries again.
    static func open() throws(HTTPError) -> CurlLibrary {
        if let installed { return installed }
        return try CurlLibrary(name)
    }

    /// Loads a library by name (dlopen(3)).
    ///
    /// The library stays loaded when this object is released.
    ///
    /// - Throws: ``HTTPError/Kind/configuration`` when it is missing or not libcurl.
    init(_ name: String) throws(HTTPError) {
        let table = UnsafeMutablePointer<ccurl_functions>.allocate(capacity: 1)
        self.table = UnsafePointer(table)
        if let words = ccurl_open(name, table) {
            throw HTTPError(
                .configuration,
                "\(name) cannot be loaded: \(String(cString: words)); "
                    + "install it: sudo apt-get install libcurl4")
        }
        let code = functions.global_init(ccurl_global_everything())
        guard code == CURLE_OK else {
            throw HTTPError(.failed, "\(name) cannot be initialized [curl \(code.rawValue)]")
        }
    }

    deinit {
        table.deallocate()
    }

    /// libcurl's message for a code.
    func words(for code: CURLcode) -> String {
        functions.easy_strerror(code).map { String(cString: $0) } ?? ""
    }

    /// libcurl's functions that are not variadic.
    var functions: ccurl_functions { table.pointee }
}
