import CMicrohttpd

/// libmicrohttpd, loaded on first use.
///
/// The program is not linked with it: most gateways do not use it.
final class MicrohttpdLibrary: Sendable {
    private static let name = "libmicrohttpd.so.12"
    private static let installed = try? MicrohttpdLibrary(name)

    // Unsafe only for the compiler: it is written once, by the initializer, and holds the addresses of
    // functions that any thread may call.
    nonisolated(unsafe) let table: UnsafePointer<cmicrohttpd_functions>

    /// libmicrohttpd's functions that are not variadic.
    var functions: cmicrohttpd_functions { table.pointee }

    /// Returns the system's libmicrohttpd; after a failure the next call tries again.
    static func open() throws(HTTPServerError) -> MicrohttpdLibrary {
        if let installed { return installed }
        return try MicrohttpdLibrary(name)
    }

    /// Loads a library by name (dlopen(3)).
    ///
    /// The library stays loaded when this object is released.
    init(_ name: String) throws(HTTPServerError) {
        let table = UnsafeMutablePointer<cmicrohttpd_functions>.allocate(capacity: 1)
        self.table = UnsafePointer(table)
        if let words = cmicrohttpd_open(name, table) {
            throw HTTPServerError(
                "\(name) cannot be loaded: \(String(cString: words)); "
                    + "install it: sudo apt-get install libmicrohttpd12")
        }
    }

    deinit {
        table.deallocate()
    }
}
