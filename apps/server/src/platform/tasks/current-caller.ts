import { AsyncLocalStorage } from 'node:async_hooks'

const callers = new AsyncLocalStorage<string>()

/** Runs the work of a call under the name of its caller. */
export const runAsCaller = <Result>(caller: string, work: () => Promise<Result>): Promise<Result> =>
  callers.run(caller, work)

/**
 * Name of the caller whose call is running, for sharing scarce resources among callers; empty for work of the server
 * itself. Permissions never depend on it.
 */
export const currentCaller = (): string => callers.getStore() ?? ''
