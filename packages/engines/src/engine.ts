/** A running engine process, or a connection point of one. */
export interface Engine {
  /** URL with user, password and database, for the official client. */
  readonly url: string
  readonly port: number
  /** Process id of the engine's main process. */
  readonly pid: number
  /** Resolves with the exit code when the process has ended; null after a signal. */
  readonly exited: Promise<number | null>
  /** Shuts the engine down, by force after a grace period. Resolves when its process has ended. Idempotent. */
  stop(): Promise<void>
}

/** One line of an engine's own log, without the line end. */
export type EngineLog = (line: string) => void

/** A failed start that the operator can resolve; the message is one line. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
}
