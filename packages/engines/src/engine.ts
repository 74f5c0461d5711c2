/** A running engine process, or a connection point of one. */
export interface Engine {
  /** Address with user, password and database, for the official client. */
  readonly url: string
  readonly port: number
  /** Process id of the engine's main process. */
  readonly pid: number
  /** Resolves with the exit code when the process has ended, whatever the reason; null after a signal. */
  readonly exited: Promise<number | null>
  /** Ends the engine in good order, harder after a grace time. Resolves when its process is gone. Idempotent. */
  stop(): Promise<void>
}

/** One line of an engine's own log, without the line end. */
export type EngineLog = (line: string) => void

/** A reason to refuse the start that the operator can act on; its message is one clear line. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
}
