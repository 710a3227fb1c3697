import Beacon
package import Content
package import SiteFormat
package import Text

/// Content in the documented machine-readable form, shared by the commands and the control API: one JSON object each.
package enum ContentText {
    /// How complete a beacon's content is.
    package static func json(_ state: ContentState) -> String {
        var json = JSONText()
        json.object { write(state, into: &$0) }
        return json.text
    }

    /// The same as the value of a key.
    package static func write(_ state: ContentState, into json: inout JSONText) {
        json.scope(state.scope)
        json.value("name", state.name)
        switch state.state {
        case .complete: json.value("state", "complete")
        case .partial(let percent):
            json.value("state", "partial")
            json.value("percent", percent)
        case .stale(let since):
            json.value("state", "stale")
            json.value("since", since?.rfc3339)
        case .missing: json.value("state", "missing")
        }
        json.value("assets", state.assets)
        json.value("bytes", Int(state.bytes))
        json.value("present_bytes", Int(state.presentBytes))
        json.value("validated_at", state.validatedAt?.rfc3339)
    }

    /// The progress of a sync of the whole site.
    package static func json(_ progress: SiteProgress) -> String {
        var json = JSONText()
        json.object { json in
            json.value("event", "progress")
            json.value("manifests", progress.manifests)
            json.value("total_manifests", progress.totalManifests)
            json.value("assets", progress.assets)
            json.value("total_assets", progress.totalAssets)
            json.value("bytes", Int(progress.bytes))
            json.value("total_bytes", Int(progress.totalBytes))
        }
        return json.text
    }

    /// The result of a sync of the whole site.
    package static func json(_ summary: SyncSummary) -> String {
        var json = JSONText()
        json.object { json in
            json.value("event", "summary")
            json.value("revision", summary.revision.map { Int($0) })
            for (key, scopes) in [("new", summary.new), ("changed", summary.updated), ("deleted", summary.deleted)] {
                json.array(key) { json in
                    for scope in scopes.sorted() { json.value(nil, scope.description) }
                }
            }
            json.value("unchanged", summary.unchanged)
            json.array("failed") { json in
                for failure in summary.failed {
                    json.object { json in
                        json.value("scope", failure.scope.description)
                        json.value("code", failure.error.code.rawValue)
                        json.value("error", failure.error.description)
                        json.value("place", failure.error.place)
                        json.value("problem", failure.error.problem)
                        json.value("what_to_do", failure.error.remedy)
                    }
                }
            }
            json.value("not_tried", summary.untried)
            json.value("fetched_assets", summary.fetchedAssets)
            json.value("transferred_bytes", Int(summary.transferredBytes))
        }
        return json.text
    }

    /// Why a sync of the whole site has failed.
    package static func json(failure error: some ExplainedError, code: String) -> String {
        var json = JSONText()
        json.object { json in
            json.value("event", "failed")
            json.value("code", code)
            json.value("error", error.placedProblem)
            json.value("what_to_do", error.remedy)
        }
        return json.text
    }

    /// The result of verifying every stored file.
    package static func json(_ report: VerifyReport) -> String {
        var json = JSONText()
        json.object { json in
            json.value("assets", report.assets)
            json.value("bytes", Int(report.bytes))
            json.array("damaged_assets") { json in
                for hash in report.damagedAssets { json.value(nil, hash.description) }
            }
            json.array("damaged_documents") { json in
                for path in report.damagedDocuments { json.value(nil, path) }
            }
            json.array("missing_assets") { json in
                for hash in report.missingAssets { json.value(nil, hash.description) }
            }
            json.array("missing_documents") { json in
                for path in report.missingDocuments { json.value(nil, path) }
            }
            json.value("not_stored", report.notStored)
            json.value("repaired", report.isRepaired)
        }
        return json.text
    }

    /// The result of removing files that are not needed.
    package static func json(_ report: PruneReport) -> String {
        var json = JSONText()
        json.object { json in
            json.value("assets", report.assets)
            json.value("bytes", Int(report.bytes))
            json.value("documents", report.documents)
        }
        return json.text
    }
}

extension JSONText {
    /// `scope` as text, and the parts that it has.
    package mutating func scope(_ scope: ContentScope) {
        value("scope", scope.description)
        switch scope {
        case .beacon(let id):
            value("uuid", id.uuid.description)
            value("major", Int(id.major))
            value("minor", Int(id.minor))
        case .major(let uuid, let major):
            value("uuid", uuid.description)
            value("major", Int(major))
        case .uuid(let uuid): value("uuid", uuid.description)
        case .uncategorized: break
        }
    }
}
