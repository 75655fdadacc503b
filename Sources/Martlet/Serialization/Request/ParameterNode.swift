/// A place in the tree that a `ParameterEncoder` builds.
///
/// A class, because nested containers and `super` encoders fill their place after their parent has
/// gone on.
final class ParameterNode {
  enum Content {
    case unset
    case leaf(Parameters)
    case unkeyed([ParameterNode])
    case keyed([String: ParameterNode])
  }

  var content = Content.unset
  var isSet = false

  /// The tree below this place; a value that encoded nothing is an empty dictionary.
  var parameters: Parameters {
    switch content {
    case .unset: .dictionary([:])
    case .leaf(let value): value
    case .unkeyed(let nodes):
      isSet ? .set(nodes.map(\.parameters)) : .array(nodes.map(\.parameters))
    case .keyed(let nodes): .dictionary(nodes.mapValues(\.parameters))
    }
  }

  /// How many elements an array has so far.
  var count: Int {
    if case .unkeyed(let nodes) = content { nodes.count } else { 0 }
  }

  /// Makes this a dictionary unless it is one already.
  func becomeKeyed() {
    if case .keyed = content { return }
    content = .keyed([:])
  }

  /// Makes this an array unless it is one already.
  func becomeUnkeyed() {
    if case .unkeyed = content { return }
    content = .unkeyed([])
  }

  /// The place under `key`, made if need be.
  func child(_ key: String) -> ParameterNode {
    becomeKeyed()
    guard case .keyed(var nodes) = content else { return ParameterNode() }
    if let node = nodes[key] { return node }
    let node = ParameterNode()
    content = .unset
    nodes[key] = node
    content = .keyed(nodes)
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
