import Primitives
import ServiceTesting

/// The root of a shop that nobody signs for.
private let root: String =
    (try? TestCertificate(.init("Root", isAuthority: true, from: .epoch, to: Timestamp(seconds: 2_000_000_000))).pem)
    ?? ""

/// The services' own variables, all right.
func goodVariables(_ folder: TemporaryFolder) -> [String: String] {
    [
        "KEY_ENCRYPTION_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4), "MAIL_URL": "file:\(folder.path)/mail",
        "OBJECT_STORE": "file://\(folder.path)/objects", "UPLOAD_KEY": "\(UUID.v4())",
        "SCRATCH_DIR": "\(folder.path)/scratch", "WEBHOOK_KEY": String(repeating: "8796a5b40f1e2d3c", count: 4),
        "MODELS_DIR": "\(folder.path)/models", "MEDIA_HELPER": "/bin/false", "LIMIT_CODE": "1000/1m",
        // Somebody new for each route.
        "LIMIT_DEVICE": "1000/1m",
        // Routes that are there only where somebody sells something.
        "STRIPE_WEBHOOK_SECRETS": "whsec_0f1e2d3c4b5a69788796a5b4", "STRIPE_PRICES": "price_1=premium",
        "STRIPE_SECRET_KEY": "rk_test_0f1e2d3c4b5a69788796a5b4", "STRIPE_API_URL": "http://127.0.0.1:1",
        "APPLE_ROOT_FILE": folder.write(root, to: "apple-root.pem"), "APPLE_BUNDLES": "org.example.app",
        "APPLE_PRODUCTS": "monthly=premium",
    ].merging(TestAnnouncements.variables) { $1 }
}
