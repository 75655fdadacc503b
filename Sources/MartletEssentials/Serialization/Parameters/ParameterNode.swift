/// A node of the tree that a `ParameterEncoder` builds.
///
/// A class, because nested containers and `super` encoders may fill their node after the parent has encoded other
/// values.
final class ParameterNode {
  enum Content {
    case unset
    case leaf(Parameters)
    case unkeyed([ParameterNode])
    case keyed(KeyedNodes)
  }

  /// The nodes by name, in the order in which they were created.
  struct KeyedNodes {
    var names: [String] = []
    var nodes: [String: ParameterNode] = [:]
  }

  var content = Content.unset
  /// Whether the value is a Swift set or dictionary.
  var isUnordered = false

  /// The parameters of this node. A value that encoded nothing becomes an empty dictionary.
  var parameters: Parameters {
    switch content {
    case .unset: .ordered([])
    case .leaf(let value): value
    case .unkeyed(let nodes):
      isUnordered ? .set(nodes.map(\.parameters)) : .array(nodes.map(\.parameters))
    case .keyed(let keyed) where isUnordered: .dictionary(keyed.nodes.mapValues(\.parameters))
    case .keyed(let keyed):
      .ordered(
        keyed.names.compactMap { name in keyed.nodes[name].map { (name, $0.parameters) } })
    }
  }

  /// The number of elements that the array has so far.
  var count: Int {
    if case .unkeyed(let nodes) = content { nodes.count } else { 0 }
  }

  /// Makes this a dictionary unless it is one already.
  func becomeKeyed() {
    if case .keyed = content { return }
    content = .keyed(KeyedNodes())
  }

  /// Makes this an array unless it is one already.
  func becomeUnkeyed() {
    if case .unkeyed = content { return }
    content = .unkeyed([])
  }

  /// Returns the node under `key`, and creates it if it does not exist.
  func child(_ key: String) -> ParameterNode {
    becomeKeyed()
    guard case .keyed(var keyed) = content else { return ParameterNode() }
    if let node = keyed.nodes[key] { return node }
    let node = ParameterNode()
    content = .unset
    keyed.names.append(key)
    keyed.nodes[key] = node
    content = .keyed(keyed)
    return node
  }

  /// Adds a node at the end of the array.
  func nextChild() -> ParameterNode {
    becomeUnkeyed()
    guard case .unkeyed(var nodes) = content else { return ParameterNode() }
    let node = ParameterNode()
    content = .unset
    nodes.append(node)
    content = .unkeyed(nodes)
    return node
  }
}
