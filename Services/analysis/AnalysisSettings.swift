import Configuration
import Glibc
import Measuring
import ObjectStorage
import Runtime

/// What this service reads from its environment beside the common variables.
///
/// | Variable | Meaning |
/// |---|---|
/// | `OBJECT_STORE`, `S3_…` | where recordings and documents lie, see ``ObjectStoreSettings`` |
/// | `SCRATCH_DIR` | working files; whatever dead instances left there is removed at the start |
/// | `MODELS_DIR` | models of the speech recogniser; may be empty |
/// | `MEDIA_HELPER` | the program that measures, `mirrormate-media` |
/// | `WORKERS` | jobs at a time; by default one for every two processors |
/// | `JOB_LEASE` | how long a silent worker keeps its job, default 60s |
/// | `MAX_VIDEO_SECONDS` | the longest video, default 95 (90 and some grace) |
/// | `MEDIA_GRACE` | how much longer than the video a measurement may take, default 30s |
struct AnalysisSettings: Sendable {
    var objects: ObjectStoreSettings
    var scratch: String
    var models: String
    var helper: String
    var workers: Int
    var lease: Duration
    var maxVideoSeconds: Int64
    var grace: Duration
    /// Where the helper finds the models of pocketsphinx, when not in the system's folder.
    var sphinxModels: String?

    @Loop var mediaHelper: MediaHelper { MediaHelper(program: helper, models: models, sphinxModels: sphinxModels) }

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        objects = ObjectStoreSettings(environment)
        scratch = environment.string("SCRATCH_DIR")
        models = environment.string("MODELS_DIR")
        helper = environment.string("MEDIA_HELPER")
        workers = environment.int("WORKERS", default: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2), in: 1...64)
        lease = environment.duration("JOB_LEASE", default: .seconds(60))
        maxVideoSeconds = Int64(environment.int("MAX_VIDEO_SECONDS", default: 95, in: 5...600))
        grace = environment.duration("MEDIA_GRACE", default: .seconds(30))
        sphinxModels = environment.optional("MIRRORMATE_SPHINX_MODELS")
        if lease < .milliseconds(300) { environment.refuse("JOB_LEASE", "must be at least 300ms.") }
    }
}
