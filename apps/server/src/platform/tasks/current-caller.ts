import { AsyncLocalStorage } from 'node:async_hooks'

interface CurrentCaller {
  readonly name: string
  /** Aborted as soon as nobody waits for the answer of the call any more. */
  readonly left?: AbortSignal | undefined
}

const callers = new AsyncLocalStorage<CurrentCaller>()

/** Runs the work of a call under the name of its caller. `left`: aborted when nobody waits for its answer any more. */
export const runAsCaller = <Result>(
  name: string,
  work: () => Promise<Result>,
  left?: AbortSignal,
): Promise<Result> => callers.run({ name, left }, work)

/**
 * Name of the caller whose call is running, for sharing scarce resources among callers; empty for work of the server
 * itself. Permissions never depend on it.
 */
export const currentCaller = (): string => callers.getStore()?.name ?? ''

/** The signal that nobody waits for the answer of the running call any more; absent for work of the server itself. */
export const callerLeft = (): AbortSignal | undefined => callers.getStore()?.left
