internal import Beacon

// The disk: what is needed least makes room, and where there is none, nothing is fetched.
extension ContentSync {
    /// Makes room for what a sync has to write. The rest of the site never drives anything out.
    func makeRoom(for missing: [ManifestAsset], manifest: Int, _ key: JobKey) async throws(ContentError) {
        let bytes = await writer.bytes(of: missing).addingClamped(Int64(manifest))
        try await writer.checkFree(bytes, for: key)
        let quota = settings.quotaBytes ?? .max
        if await writer.reserve(bytes, for: key, quota: quota) { return }
        let rank = rank(of: key)
        let protected = rank < Prefetching.idleRank ? Set(prefetching.ranks.keys) : nil
        let lastNeeded = protected == nil ? [:] : await learnedNow().lastNeeded { scope(of: $0) }
        let evicted = try await writer.makeRoom(
            for: key, bytes: bytes, quota: quota, protected: protected, lastNeeded: lastNeeded,
            keeping: assetsInJobs())
        if !evicted.isEmpty {
            prefetching.done.subtract(evicted)
            siteQueue.yield(.evicted(evicted))
        }
    }

    func assetsInJobs() -> Set<AssetHash> {
        var assets: Set<AssetHash> = []
        for job in jobs.values { assets.formUnion(job.assets) }
        return assets
    }

    /// Nothing is asked for while nothing can be kept.
    func checkRoom() async throws(ContentError) {
        guard room.isClosed, let error = health.room else { return }
        guard let space = await writer.space() else { return }
        // Somebody else may have looked meanwhile.
        guard room.isClosed else { return }
        if room.look(free: space.free) { return roomIsBack() }
        throw error
    }

    private func roomIsBack() {
        health.room = nil
        siteQueue.yield(.recovered)
        tellStatus()
        prefetching.troubles = [:]
        prefetching.position = 0
        pump()
    }

    /// Something could not be written.
    ///
    /// - Parameter isTold: whoever notices it tells it himself.
    func noteRoom(_ error: ContentError, isTold: Bool) async {
        guard error.code == .diskFull, let space = await writer.space(),
            room.refused(free: space.free, reserve: space.reserve)
        else { return }
        health.room = error
        tellStatus()
        failWaiting(with: error)
        if !isTold {
            siteQueue.yield(.refused(error))
            isOut = true
        }
    }
}
