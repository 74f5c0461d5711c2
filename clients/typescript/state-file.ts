import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The password for the next connection: the configured one, which may be a one-time token, or the device's own. */
export interface Secret {
  current(): string
  /**
   * Whether it is a one-time token. Its connection ends with the own password, so nothing is published there: the library would repeat it before
   * the next subscription.
   */
  isToken(): boolean
  /** The broker refused it: the other one is next. */
  refused(): void
  /** Stores the own password. False, and nothing stored, unless the connection was made with a token. */
  receive(own: string | undefined): boolean
}

/**
 * Reads what the device stored before its restart, or takes `fresh`, and counts the start. `save` replaces the file as a
 * whole.
 */
export function openState<State extends { boot: number }>(file: string, fresh: State, configured: string) {
  const state: State & { password?: string } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { ...fresh }
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(state))
    renameSync(`${file}.new`, file)
  }
  state.boot += 1
  save()
  let isOwn = state.password !== undefined
  const secret: Secret = {
    current: () => (isOwn ? (state.password ?? configured) : configured),
    isToken: () => !isOwn && configured.startsWith('once-'),
    refused() {
      isOwn = !isOwn && state.password !== undefined
    },
    receive(own) {
      if (own === undefined || !secret.isToken()) return false
      state.password = own
      save()
      isOwn = true
      return true
    },
  }
  return { state, save, secret }
}
