/** Account and password that came in the address of the page that led to the login, until they are used. */
export interface KeptCredentials {
  readonly account: string
  readonly password: string
}

let kept: KeptCredentials | undefined

/** Keeps them in memory only: they must not stay in an address, a history or a storage. */
export function keepCredentials(credentials: KeptCredentials): void {
  kept = credentials
}

/** What was kept; stays until a login succeeds, so that a second rendering finds it too. */
export const findKeptCredentials = (): KeptCredentials | undefined => kept

export function forgetCredentials(): void {
  kept = undefined
}
