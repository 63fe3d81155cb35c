import HTTPServer

/// What pages of other origins may do on the compatible surface: everything that a client without cookies may. Nothing there rests on
/// a cookie, so no page can act for whoever visits it.
enum CrossOrigin {
    private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
    /// Those of the clients by name, for browsers that do not know the asterisk, which stands for what applications add of their own.
    private static let fields = """
        authorization, apikey, content-type, x-client-info, x-supabase-api-version, prefer, accept-profile, content-profile, \
        range, range-unit, x-upsert, cache-control, x-metadata, x-retry-count, x-region, tus-resumable, upload-length, \
        upload-offset, upload-metadata, upload-defer-length, upload-concat, upload-complete, upload-draft-interop-version, \
        upload-checksum, x-signature, *
        """
    private static let exposed = """
        content-range, x-supabase-api-version, preference-applied, content-location, location, tus-resumable, tus-version, \
        tus-extension, tus-max-size, upload-offset, upload-length, upload-expires, upload-complete, retry-after, proxy-status, \
        etag, accept-ranges
        """

    /// The answer to a browser that asks before it sends a request.
    static let preflight = Response(
        status: 204,
        headers: [
            "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": methods,
            "Access-Control-Allow-Headers": fields, "Access-Control-Max-Age": "86400",
        ])

    /// Lets a page of another origin read an answer.
    static func allow(_ headers: inout Headers) {
        headers["Access-Control-Allow-Origin"] = "*"
        headers["Access-Control-Expose-Headers"] = exposed
    }
}
