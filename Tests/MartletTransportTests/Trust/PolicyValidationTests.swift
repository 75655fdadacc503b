import Testing

@testable import MartletTransport

/// Policies from the first authority below the anchor down to the server (RFC 5280 §6.1.3 to §6.1.5).
struct PolicyValidationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path: [CertificatePolicies]
    var selfIssued: Set<Int> = []
    var isAllowed: Bool
  }

  private static func policies(
    _ named: Set<String>?, any: Bool = false, explicitAfter: Int? = nil,
    anyInhibitedAfter: Int? = nil,
    mappings: [String: Set<String>] = [:], mappingInhibitedAfter: Int? = nil
  ) -> CertificatePolicies {
    CertificatePolicies(
      named: named, includesAny: any, mappings: mappings, explicitAfter: explicitAfter,
      mappingInhibitedAfter: mappingInhibitedAfter, anyInhibitedAfter: anyInhibitedAfter)
  }

  static let cases = [
    Case(testDescription: "nothing said", path: [policies(nil), policies(nil)], isAllowed: true),
    Case(
      testDescription: "nothing in common, none required",
      path: [policies(["A"]), policies(["B"])],
      isAllowed: true),
    Case(
      testDescription: "required and the same",
      path: [policies(["A", "B"], explicitAfter: 0), policies(["B"])], isAllowed: true),
    Case(
      testDescription: "required and another",
      path: [policies(["A"], explicitAfter: 0), policies(["B"])], isAllowed: false),
    Case(
      testDescription: "required and none",
      path: [policies(["A"], explicitAfter: 0), policies(nil)], isAllowed: false),
    Case(
      testDescription: "lost on the way",
      path: [policies(["A"], explicitAfter: 0), policies(["B"]), policies(["A"])], isAllowed: false),
    Case(
      testDescription: "required one below, and there is one more",
      path: [policies(nil, explicitAfter: 1), policies(["A"]), policies(["A"])], isAllowed: false),
    Case(
      testDescription: "required of the server, the one certificate that may have gone without",
      path: [policies(nil, explicitAfter: 1), policies(nil)], isAllowed: false),
    Case(
      testDescription: "required only below the server",
      path: [policies(nil, explicitAfter: 2), policies(nil)], isAllowed: true),
    Case(
      testDescription: "required by the server itself",
      path: [policies(["A"]), policies(nil, explicitAfter: 0)],
      isAllowed: false),
    Case(
      testDescription: "required by the server later",
      path: [policies(["A"]), policies(nil, explicitAfter: 1)],
      isAllowed: true),
    Case(
      testDescription: "the smaller number counts",
      path: [
        policies(["A"], explicitAfter: 0), policies(["A"], explicitAfter: 9), policies(["B"]),
      ],
      isAllowed: false),
    // anyPolicy
    Case(
      testDescription: "any, then one",
      path: [policies([], any: true, explicitAfter: 0), policies(["A"])],
      isAllowed: true),
    Case(
      testDescription: "one, then any",
      path: [policies(["A"], explicitAfter: 0), policies([], any: true)],
      isAllowed: true),
    Case(
      testDescription: "one, any, the same",
      path: [policies(["A"], explicitAfter: 0), policies([], any: true), policies(["A"])],
      isAllowed: true),
    Case(
      testDescription: "one, any, another",
      path: [policies(["A"], explicitAfter: 0), policies([], any: true), policies(["B"])],
      isAllowed: false),
    Case(
      testDescription: "any inhibited",
      path: [policies(["A"], explicitAfter: 0, anyInhibitedAfter: 0), policies([], any: true)],
      isAllowed: false),
    Case(
      testDescription: "any inhibited later",
      path: [policies(["A"], explicitAfter: 0, anyInhibitedAfter: 1), policies([], any: true)],
      isAllowed: true),
    Case(
      testDescription: "any inhibited, but self-issued",
      path: [
        policies(["A"], explicitAfter: 0, anyInhibitedAfter: 0), policies([], any: true),
        policies(["A"]),
      ],
      selfIssued: [1], isAllowed: true),
    // Mappings
    Case(
      testDescription: "mapped",
      path: [policies(["A"], explicitAfter: 0, mappings: ["A": ["B", "C"]]), policies(["C"])],
      isAllowed: true),
    Case(
      testDescription: "mapped away",
      path: [policies(["A"], explicitAfter: 0, mappings: ["A": ["B"]]), policies(["A"])],
      isAllowed: false),
    Case(
      testDescription: "mapped in a circle",
      path: [
        policies(["A", "B"], explicitAfter: 0, mappings: ["A": ["B"], "B": ["A"]]), policies(["A"]),
      ],
      isAllowed: true),
    Case(
      testDescription: "mapped one step only",
      path: [
        policies(["A"], explicitAfter: 0, mappings: ["A": ["B"], "B": ["C"]]), policies(["C"]),
      ],
      isAllowed: false),
    Case(
      testDescription: "mapping of what is not allowed",
      path: [policies(["A"], explicitAfter: 0, mappings: ["B": ["C"]]), policies(["C"])],
      isAllowed: false),
    Case(
      testDescription: "mapping inhibited",
      path: [
        policies(["A"], explicitAfter: 0, mappingInhibitedAfter: 0),
        policies(["A"], mappings: ["A": ["B"]]), policies(["B"]),
      ],
      isAllowed: false),
    Case(
      testDescription: "mapping inhibited later",
      path: [
        policies(["A"], explicitAfter: 0, mappingInhibitedAfter: 1),
        policies(["A"], mappings: ["A": ["B"]]), policies(["B"]),
      ],
      isAllowed: true),
    Case(
      testDescription: "mapping of the server's own",
      path: [policies(["A"], explicitAfter: 0), policies(["A"], mappings: ["A": ["B"]])],
      isAllowed: true),
  ]

  @Test(arguments: cases)
  func `where a policy is required, one must be left`(_ test: Case) {
    let path = test.path.enumerated().map { ($1, test.selfIssued.contains($0)) }
    #expect(PolicyValidation.isAllowed(path) == test.isAllowed)
  }
}
