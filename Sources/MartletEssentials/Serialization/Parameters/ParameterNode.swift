/// A place in the tree that a `ParameterEncoder` builds.
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

  /// Places by name, in the order in which they were made.
  struct KeyedNodes {
    var names: [String] = []
    var nodes: [String: ParameterNode] = [:]
  }

  var content = Content.unset
  var isSet = false

  /// The tree below this place; a value that encoded nothing is empty.
  var parameters: Parameters {
    switch content {
    case .unset: .ordered([])
    case .leaf(let value): value
    case .unkeyed(let nodes):
      isSet ? .set(nodes.map(\.parameters)) : .array(nodes.map(\.parameters))
    case .keyed(let keyed):
      .ordered(
        keyed.names.compactMap { name in keyed.nodes[name].map { (name, $0.parameters) } })
    }
  }

  /// How many elements an array has so far.
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

  /// The place under `key`, made if need be.
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

  /// A new place at the end.
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
