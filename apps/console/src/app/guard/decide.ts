/** Where the user wants to go. */
export interface Target {
  readonly pathname: string
  /** With its question mark, or empty. */
  readonly search: string
}

/** What the guard knows of the session. */
export interface GuardState {
  /** Both tokens are there. */
  readonly signedIn: boolean
  /** The permitted modules are loaded. */
  readonly accessLoaded: boolean
}

export type Decision =
  | { readonly kind: 'pass' }
  | { readonly kind: 'load-access' }
  | {
      readonly kind: 'go'
      readonly to: string
      /** Account and password found in the query, to be kept for the login form. */
      readonly keep?: { readonly account: string; readonly password: string }
    }

const LOGIN_PATH = '/login'
const openPaths: ReadonlySet<string> = new Set([LOGIN_PATH, '/loginiframe'])

/** Address of the login that leads back to `path` afterwards. */
export const toLoginPath = (path: string): string => `${LOGIN_PATH}?redirect=${encodeURIComponent(path)}`

/** The rules of the guard (specification, section 2), apart from permissions, which menu.ts knows. */
export function decide(state: GuardState, target: Target): Decision {
  if (state.signedIn) {
    if (target.pathname === LOGIN_PATH) return { kind: 'go', to: '/' }
    return state.accessLoaded ? { kind: 'pass' } : { kind: 'load-access' }
  }
  const query = new URLSearchParams(target.search)
  const account = query.get('username')
  const password = query.get('password')
  const keep = account !== null && password !== null ? { keep: { account, password } } : {}
  if (openPaths.has(target.pathname)) {
    if (keep.keep === undefined) return { kind: 'pass' }
    return { kind: 'go', to: withoutCredentials(target.pathname, query), ...keep }
  }
  return { kind: 'go', to: toLoginPath(withoutCredentials(target.pathname, query)), ...keep }
}

function withoutCredentials(pathname: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query)
  rest.delete('username')
  rest.delete('password')
  return rest.size > 0 ? `${pathname}?${rest}` : pathname
}
