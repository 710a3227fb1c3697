internal import Beacon
package import SiteFormat

// Assets that are being fetched: each is fetched once, however many jobs need it.
extension SyncScheduler {
    /// A job has read its manifest, so these assets must not be removed meanwhile.
    package mutating func holds(_ key: JobKey, _ assets: Set<AssetHash>) {
        jobs[key]?.assets = assets
    }

    /// A job needs these assets. `.finishAssets` follows when all that can be fetched are stored.
    package mutating func needs(_ key: JobKey, _ missing: [ManifestAsset], at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard var job = scheduler.jobs[key], !missing.isEmpty, !scheduler.isClosed else {
                return scheduler.emit(.finishAssets(key, scheduler.isClosed ? .cancelled("assets") : nil))
            }
            for asset in missing { job.needed[asset.sha256] = asset.bytes }
            job.missing = []
            job.failure = nil
            for asset in missing {
                if let refusal = scheduler.refusal(of: asset, for: key) {
                    job.failure = job.failure ?? refusal
                } else {
                    job.missing.insert(asset.sha256)
                }
            }
            scheduler.jobs[key] = job
            scheduler.pass?.expect(missing)
            scheduler.reportProgress(key, now: true)
            // The first bytes are reported at once.
            scheduler.jobs[key]?.progressReportedAt = nil
            if job.missing.isEmpty { return scheduler.emit(.finishAssets(key, job.failure)) }
            for asset in missing where job.missing.contains(asset.sha256) {
                let hash = asset.sha256
                scheduler.transfers[hash, default: Transfer(asset: asset)].keys.append(key)
                if scheduler.transfers[hash]?.isRunning == false { scheduler.transferQueue.add(hash) }
            }
        }
    }

    /// Why an asset is not requested now; nil if it may be requested, or is being fetched.
    private func refusal(of asset: ManifestAsset, for key: JobKey) -> ContentError? {
        guard transfers[asset.sha256] == nil else { return nil }
        // An asset that failed during a pass is not requested again in the same pass.
        return failedAssets.refusal(of: asset, at: now, isOnce: pass?.running[key] != nil)
    }

    /// Records the failure of an asset, if it is one that lasts.
    ///
    /// - Returns: the failure to report to the jobs that need the asset.
    private mutating func noted(_ failure: ContentError, of asset: ManifestAsset) -> ContentError {
        guard FailedAssets.isLasting(failure) else { return failure }
        let delay = retryDelay(failure, failures: failedAssets.count(of: asset) + 1)
        failedAssets.note(asset, failure, until: now + delay)
        return failedAssets.refusal(of: asset, at: now) ?? failure
    }

    /// This many bytes of an asset are stored. After a restart it begins at a lower number.
    package mutating func received(_ bytes: Int64, of hash: AssetHash, at now: Duration) -> [Action] {
        // This starts nothing else, so `step` is not needed.
        self.now = now
        transfers[hash]?.received = bytes
        if bytes > 0 {
            for key in transfers[hash]?.keys ?? [] { reportProgress(key, now: false) }
            reportPass()
        }
        defer { actions = [] }
        return actions
    }

    /// An asset was received and is right, so the next one may use the network while this one is flushed. The number is
    /// limited, so that the number of open files is bounded.
    package mutating func leftNetwork(_ hash: AssetHash, at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard scheduler.transfers.count - scheduler.transferQueue.waitingCount < Self.maximumFlushing else {
                return
            }
            scheduler.transferQueue.finish(hash)
        }
    }

    static var maximumFlushing: Int { 96 }

    /// The jobs that need an asset that is being fetched.
    package func holders(of hash: AssetHash) -> [JobKey] {
        transfers[hash]?.keys ?? []
    }

    /// A download has ended, with the asset in place or with an error.
    package mutating func transferEnded(
        _ hash: AssetHash, _ failure: ContentError? = nil, at now: Duration
    ) -> [Action] {
        step(at: now) { scheduler in
            scheduler.transferQueue.finish(hash)
            guard let transfer = scheduler.transfers.removeValue(forKey: hash) else { return }
            let failure = failure.map { scheduler.noted($0, of: transfer.asset) }
            if let failure {
                // The server cannot be reached. The other assets would only wait for the same time-outs, one after
                // another.
                if failure.code == .connection || failure.code == .timeout { scheduler.failWaiting(with: failure) }
            } else {
                scheduler.failedAssets.forget(hash)
                scheduler.status.fetchedFiles += 1
                scheduler.updateStatus()
                scheduler.pass?.complete(transfer.asset)
                for key in transfer.keys {
                    scheduler.jobs[key]?.complete.insert(hash)
                    scheduler.reportProgress(key, now: true)
                }
                scheduler.reportPass()
            }
            for key in transfer.keys { scheduler.assetEnded(hash, failure, for: key) }
        }
    }

    private mutating func assetEnded(_ hash: AssetHash, _ failure: ContentError?, for key: JobKey) {
        guard jobs[key]?.missing.remove(hash) != nil, var job = jobs[key] else { return }
        job.failure = job.failure ?? failure
        jobs[key] = job
        if job.missing.isEmpty { emit(.finishAssets(key, job.failure)) }
    }

    /// Fails all waiting assets.
    mutating func failWaiting(with error: ContentError) {
        for hash in transferQueue.waiting {
            transferQueue.finish(hash)
            for key in transfers.removeValue(forKey: hash)?.keys ?? [] { assetEnded(hash, error, for: key) }
        }
    }

    /// Starts as many transfers as may run now.
    mutating func startTransfers() {
        let isUrgent = wanted.map { jobs[.beacon($0.beacon)]?.needed.isEmpty == false } ?? false
        guard transferQueue.waitingCount > 0, isUrgent || !transferQueue.isFull else { return }
        // Moved out, because the ranks are read while the queue changes.
        var queue = transferQueue
        transferQueue = TransferQueue(parallel: queue.parallel)
        while let hash = queue.next(ranking: ranking, rank: { rank(of: $0) }) {
            guard let asset = transfers[hash]?.asset else {
                queue.finish(hash)
                continue
            }
            transfers[hash]?.isRunning = true
            emit(.download(asset))
        }
        transferQueue = queue
    }

    private func rank(of hash: AssetHash) -> Int {
        // If nothing is urgent, all assets are equal.
        guard wanted != nil || !prefetching.ranks.isEmpty else { return Prefetching.idleRank }
        return transfers[hash]?.keys.map { rank(of: $0) }.min() ?? Prefetching.idleRank
    }

    private mutating func reportProgress(_ key: JobKey, now isDue: Bool) {
        guard case .beacon(let beacon) = key, let job = jobs[key], !job.isSilent else { return }
        if !isDue, let last = job.progressReportedAt, now - last < settings.progressInterval { return }
        jobs[key]?.progressReportedAt = now
        var progress = ContentProgress(
            bytes: 0, totalBytes: 0, assets: job.complete.count, totalAssets: job.needed.count)
        for (hash, bytes) in job.needed {
            progress.totalBytes = progress.totalBytes.addingClamped(bytes)
            progress.bytes = progress.bytes.addingClamped(
                job.complete.contains(hash) ? bytes : transfers[hash]?.received ?? 0)
        }
        emit(.event(.progress(beacon, progress)))
    }
}
