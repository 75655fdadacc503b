import MartletEssentials

let response = try await HTTPSessionManager().get(CommandLine.arguments[1])
print(try await response.text())
