import type { Backend } from '@isotherm/contract/endpoint'
import type { Caller } from '../../platform/http/call.ts'

/** Who may come in. */
export interface SessionService {
  /**
   * The caller behind a token of this backend. Throws session.missing for a token that is none of its own
   * and session.expired for one that has ended.
   */
  authenticate(backend: Backend, token: string): Promise<Caller>
  /** Calls `ended` when a session ends before its time, on whichever replica. Returns how to stop. */
  onEnded(ended: (sessionId: number) => void): () => void
}
