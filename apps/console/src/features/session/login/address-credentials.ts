/** Account and password from the address that led to the login, until they are used. */
export interface AddressCredentials {
  readonly account: string
  readonly password: string
}

let stored: AddressCredentials | undefined

/** Stores them in memory only. An address, the history or a browser storage would expose the password. */
export function storeCredentials(credentials: AddressCredentials): void {
  stored = credentials
}

/** The stored credentials. They stay until a login succeeds, so that a second rendering finds them too. */
export const findAddressCredentials = (): AddressCredentials | undefined => stored

export function clearCredentials(): void {
  stored = undefined
}
