import Console

extension ContentListCommand: ResultCommand {
    var result: ContentFormatOptions { output }
}

extension ContentShowCommand: ResultCommand {
    var result: ContentFormatOptions { output }
}

extension ContentSyncCommand: ResultCommand {
    var result: ContentFormatOptions { output }
}

extension ContentVerifyCommand: ResultCommand {
    var result: ContentFormatOptions { output }
}

extension ContentPruneCommand: ResultCommand {
    var result: ContentFormatOptions { output }
}
