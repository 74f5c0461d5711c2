/** A registry file that cannot be imported; its message is one line for the person who wrote the file. */
export class RegistryFileError extends Error {
  override readonly name = 'RegistryFileError'
}
