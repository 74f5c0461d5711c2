/** The permitted modules could not be loaded. The router shows RetryPage for this error. */
export class AccessUnreachable extends Error {
  constructor(cause: unknown) {
    super('the permitted modules could not be requested', { cause })
    this.name = 'AccessUnreachable'
  }
}
