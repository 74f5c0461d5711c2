/** A registry file that cannot be imported. The message is one line for the author of the file. */
export class RegistryFileError extends Error {
  override readonly name = 'RegistryFileError'
}
