import Configuration
import Glibc
import Measuring
import ObjectStorage
import Providers
import Runtime
import ServiceKit

/// The variables of `analysis` besides those of every service, of ``ObjectStoreSettings``, where recordings and documents lie, and of
/// ``ProviderSettings``: who may write down what is said, or look at pictures.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `SCRATCH_DIR` | folder | required | working files; whatever dead instances left there is removed at the start |
/// | `MODELS_DIR` | folder | required | models of the speech recognizer; may be empty |
/// | `MIRRORMATE_SPHINX_MODELS` | folder | the system's | models of pocketsphinx |
/// | `MEDIA_HELPER` | program | required | the program that measures, `mirrormate-media` |
/// | `MEDIA_SOCKET` | address | none | where `mirrormate-media serve` listens, when `MEDIA_HELPER` is `mirrormate-media-client` |
/// | `WORKERS` | number | one for every two processors | recordings that are measured at a time, 1 to 64; as many more may wait for each provider |
/// | `JOB_LEASE` | duration | 60s | how long a silent worker keeps its job, at least 300ms |
/// | `MAX_VIDEO_SECONDS` | number | 95 | the longest video, 5 to 600: by default 90 and some grace; raise it with `maxDurationSeconds` in sessions' `KINDS_FILE` |
/// | `MEDIA_GRACE` | duration | 30s | how much longer than the video a measurement may take on a machine of its own; four times both beside others |
struct AnalysisSettings: Sendable {
    let objects: ObjectStoreSettings
    let scratch: String
    let models: String
    /// Where the helper finds the models of pocketsphinx; nil for the system's folder.
    let sphinxModels: String?
    let helper: String
    let socket: String?
    let workers: Int
    let lease: Duration
    let maxVideoSeconds: Int64
    let grace: Duration
    let providers: ProviderSettings

    @Loop var mediaHelper: MediaHelper {
        MediaHelper(program: helper, models: models, sphinxModels: sphinxModels, socket: socket)
    }
}

extension AnalysisSettings {
    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        objects = ObjectStoreSettings(environment)
        scratch = environment.string("SCRATCH_DIR")
        models = environment.string("MODELS_DIR")
        sphinxModels = environment.optional("MIRRORMATE_SPHINX_MODELS")
        helper = environment.string("MEDIA_HELPER")
        socket = environment.optional("MEDIA_SOCKET")
        workers = environment.int("WORKERS", default: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2), in: 1...64)
        lease = environment.duration("JOB_LEASE", default: .seconds(60))
        maxVideoSeconds = Int64(environment.int("MAX_VIDEO_SECONDS", default: 95, in: 5...600))
        grace = environment.duration("MEDIA_GRACE", default: .seconds(30))
        providers = ProviderSettings(environment)
        if lease < .milliseconds(300) { environment.refuse("JOB_LEASE", "must be at least 300ms.") }
    }
}
