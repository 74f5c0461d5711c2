/** The permitted modules could not be asked for; what stands in place of the console offers to try again. */
export class AccessUnreachable extends Error {
  constructor(cause: unknown) {
    super('the permitted modules could not be asked for', { cause })
    this.name = 'AccessUnreachable'
  }
}
