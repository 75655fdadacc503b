import EssentialFoundation
import NIOCore

/// Small images, drawn for this purpose: a bird on blue, 32 × 32 pixels.
enum SampleImages {
  static func bytes(_ base64: String) -> ByteBuffer {
    ByteBuffer(bytes: Data(base64Encoded: base64) ?? Data())
  }

  /// A PNG in base64.
  static let png = """
    iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAiElEQVR42u2VSw6AIAxEy4Sz6cIzsdEr6cLbuTAh\
    pERafnHTWc/0QZkEt+wnzRRosgxggB8Ad9gmAt7pVQy0nV3PQPNmlAz07F3DQOerigz0d6bswZBGFpwY1fcvv9e7\
    1+MSe8U8ROTyH40l80yVnwOiW5xbIKVZL95Rr5hN5zj79A1gAAPIegDf2DrCCFvAMAAAAABJRU5ErkJggg==
    """

  /// A JPEG in base64.
  static let jpeg = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZG\
    NywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09P\
    T09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAgACADASIAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAA\
    AAQGAwX/xAAqEAABAgQFAwMFAAAAAAAAAAABAwQAAhFhBQYSEzEhQaEjMnEUIlGRsf/EABYBAQEBAAAAAAAAAAAA\
    AAAAAAABBf/EABgRAQEBAQEAAAAAAAAAAAAAAAECABES/9oADAMBAAIRAxEAPwDGCCKXLmAb+h6+k9LlNIj33Nrd\
    /jnSuyTrs6ZaeGmoIr8x4Bv63rGT1eVEgPfcXt3+eZCJFlnTLhh45lis2brhZygXGkgypVpKbk9bdKdfBdd5jxN0\
    DKFghKRQhEae/NefMcmCKyL10KQ4bqNMwYm1Io4KstamVb7q9Pzz5jDEnaD5T6iVvsLzU3BKayTnvNY/uv8AUoIe\
    AemelOO//9k=
    """

  /// A drawing as text.
  static let svg = """
    <svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">
      <rect width="32" height="32" fill="#4682b4"/>
      <path d="M4 20L16 8L28 20L16 16Z" fill="#fff"/>
    </svg>

    """
}
