package import EventStore

extension Migration {
    /// The projections' objects; applied after ``eventStore``.
    package static let projections: [Migration] = [
        Migration("projections", PackageResources.projections_sql),
        Migration("rebuilds", PackageResources.rebuilds_sql),
        Migration("rename_read_model", PackageResources.rename_read_model_sql),
        Migration("begin_rebuild", PackageResources.begin_rebuild_sql),
        Migration("complete_rebuild", PackageResources.complete_rebuild_sql),
        Migration("switch_rebuild", PackageResources.switch_rebuild_sql),
        Migration("undo_rebuild", PackageResources.undo_rebuild_sql),
        Migration("drop_rebuild", PackageResources.drop_rebuild_sql),
        Migration("abandon_rebuild", PackageResources.abandon_rebuild_sql),
        Migration("read_models", PackageResources.read_models_sql),
        Migration("claim_rebuild", PackageResources.claim_rebuild_sql),
        Migration("note_rebuild", PackageResources.note_rebuild_sql),
        Migration("begin_rebuild_checked", PackageResources.begin_rebuild_checked_sql),
        Migration("complete_rebuild_checked", PackageResources.complete_rebuild_checked_sql),
        Migration("switch_rebuild_checked", PackageResources.switch_rebuild_checked_sql),
        Migration("undo_rebuild_checked", PackageResources.undo_rebuild_checked_sql),
        Migration("drop_rebuild_checked", PackageResources.drop_rebuild_checked_sql),
        Migration("abandon_rebuild_checked", PackageResources.abandon_rebuild_checked_sql),
    ]
}
