import Beacon
import Curation
import CurationStore
import Serving
import Text

/// Devices, statistics, accounts and tokens.
enum AdministrationAPI {
    private static let host = APIParameter.path("host", .text(most: 253), "The device's name.")
    private static let name = APIParameter.path("name", .text(most: 60), "The account's name.")
    private static let roles = Schema.choice(Account.Role.allCases.map(\.rawValue))

    static let routes = devices + accounts + tokens

    private static let devices = [
        APIRoute(
            .get, "/devices", .read, "/devices", "The devices, and what they hold", answer: .ref("Devices")
        ) { request in
            let (devices, now) = (try await request.store.devices(), request.now)
            let revision = try await request.store.currentRevision()?.number
            return APIAnswer(
                AnswerText.list("devices", devices) { device, json in
                    json.value("host", device.host)
                    json.value("state", device.state(revision, at: now).rawValue)
                    json.value("version", device.report.version)
                    json.value("first_at", device.firstAt.description)
                    json.value("reported_at", device.reportedAt.description)
                    json.value("revision", device.report.revision.map { Int($0) })
                    json.value("complete", device.report.isComplete)
                    json.value("missing", device.report.missing)
                    json.array("problems") { json in
                        for problem in device.report.problems { json.value(nil, problem) }
                    }
                    json.value("scanner", device.report.scanner)
                })
        },
        APIRoute(
            .delete, "/devices/{host}", .edit, "/devices", "Forget a device until it reports again",
            parameters: [host], status: 204
        ) { request in
            try await request.store.forgetDevice(request["host"] ?? "")
            return APIAnswer()
        },
        APIRoute(
            .get, "/statistics", .read, "/devices", "How long visitors stayed, by beacon, revision and day",
            parameters: [
                .query("from", .date, "The first day; 30 days ago without it."),
                .query("until", .date, "The last day; today without it."),
                .query("revision", .integer(0...Int64(1) << 40), "Only while this revision was shown."),
            ], answer: .ref("Statistics")
        ) { request in
            let today = request.now.time.microseconds / 86_400_000_000
            let until = request["until"].flatMap { Day($0) }?.number ?? today
            let from = request["from"].flatMap { Day($0) }?.number ?? until - 30
            guard from <= until else {
                throw Refusal(400, "the first day is behind the last", whatToDo: "exchange from and until")
            }
            let query = DwellQuery(revision: request.integer("revision"), days: from...until)
            return APIAnswer(AnswerText.list("dwell", try await request.store.dwell(query), AnswerText.dwell))
        },
    ]

    private struct NewAccount: Decodable {
        var name: String
        var role: Account.Role
        var password: String?
    }

    private struct AccountChange: Decodable {
        var role: Account.Role?
        var enabled: Bool?
    }

    private static let accounts = [
        APIRoute(.get, "/accounts", .admin, "/accounts", "The accounts", answer: .ref("Accounts")) { request in
            APIAnswer(AnswerText.list("accounts", try await request.store.accounts(), AnswerText.account))
        },
        APIRoute(
            .post, "/accounts", .admin, "/accounts", "Make an account; without a password its link lets choose one",
            body: .json(
                .object(
                    ["name": .text(most: 60, least: 1), "role": roles, "password": .text(most: 200, least: 10)],
                    required: ["name", "role"])), status: 201, answer: .ref("Account")
        ) { request in
            let new = try await request.decoded(NewAccount.self)
            let account = try await request.store.createAccount(
                new.name, role: new.role, password: new.password, by: request.author, at: request.now)
            return APIAnswer(AnswerText.object { AnswerText.account(account, &$0) })
        },
        APIRoute(
            .patch, "/accounts/{name}", .admin, "/accounts", "Change an account's role, or disable it",
            parameters: [name], body: .json(.object(["role": roles, "enabled": .bool])), answer: .ref("ChangedAccount")
        ) { request in
            let (name, change) = (request["name"] ?? "", try await request.decoded(AccountChange.self))
            let revoked = try await request.store.updateAccount(
                name, role: change.role, isEnabled: change.enabled, by: request.author)
            let account = try await request.store.account(name)
            await request.services.endPreview(of: account.name)
            return APIAnswer(
                AnswerText.object { json in
                    AnswerText.account(account, &json)
                    json.value("revoked_tokens", revoked)
                })
        },
        APIRoute(
            .delete, "/accounts/{name}", .admin, "/accounts", "Remove an account", parameters: [name],
            answer: .ref("Revoked")
        ) { request in
            let name = try await request.store.account(request["name"] ?? "").name
            let revoked = try await request.store.removeAccount(name, by: request.author)
            await request.services.endPreview(of: name)
            return APIAnswer(AnswerText.object { $0.value("revoked_tokens", revoked) })
        },
        APIRoute(
            .post, "/accounts/{name}/link", .admin, "/accounts", "A link for choosing a new password once",
            parameters: [name], status: 201, answer: .ref("Link")
        ) { request in
            let secret = try await request.store.passwordLink(
                for: request["name"] ?? "", by: request.author, at: request.now)
            let link = "\(request.services.settings.address)/link/\(secret)"
            return APIAnswer(AnswerText.object { $0.value("link", link) })
        },
    ]

    private struct WantedToken: Decodable {
        var name: String
        var scopes: Set<APIToken.Scope>
        var expiresAt: Moment?

        enum CodingKeys: String, CodingKey {
            case name, scopes
            case expiresAt = "expires_at"
        }
    }

    private static let tokens = [
        APIRoute(.get, "/tokens", .admin, "/tokens", "The tokens of programs", answer: .ref("Tokens")) { request in
            APIAnswer(
                AnswerText.list("tokens", try await request.store.tokens()) { AnswerText.token($0, nil, &$1) })
        },
        APIRoute(
            .post, "/tokens", .admin, "/tokens", "Make a token; its secret is shown only once",
            body: .json(
                .object(
                    [
                        "name": .text(most: 60, least: 1),
                        "scopes": .list(.choice(APIToken.Scope.allCases.map(\.rawValue))),
                        "expires_at": Schema.moment,
                    ], required: ["name", "scopes"])), status: 201, answer: .ref("Token")
        ) { request in
            let wanted = try await request.decoded(WantedToken.self)
            let new = try await request.store.createToken(
                wanted.name, scopes: wanted.scopes, expiresAt: wanted.expiresAt, by: request.author, at: request.now)
            return APIAnswer(AnswerText.object { AnswerText.token(new.token, new.secret, &$0) })
        },
        APIRoute(
            .delete, "/tokens/{number}", .admin, "/tokens", "End a token",
            parameters: [.path("number", .integer(1...Int64(1) << 40), "Its number.")], answer: .ref("Revoked")
        ) { request in
            let revoked = try await request.store.revokeToken(request.integer("number") ?? 0, by: request.author)
            return APIAnswer(AnswerText.object { $0.value("revoked_tokens", revoked) })
        },
    ]
}
