/// The version of this library, as the default `User-Agent` shows it.
package let martletVersion = "0.1.0"
