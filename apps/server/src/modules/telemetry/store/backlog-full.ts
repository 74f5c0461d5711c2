/** The backlog is full, so the message is not accepted now. Its gateway buffers it and sends it again. */
export class BacklogFullError extends Error {
  constructor() {
    super('the backlog of readings is full')
    this.name = 'BacklogFullError'
  }
}
