import type { z } from 'zod'
import type { Permission } from './access/permissions.ts'
import type { ErrorCode } from './errors.ts'

/** The two backends of the specification (section 7), each with its base path and the console's timeout, ms. */
export const backends = {
  'usr-cloud': { base: '/usrCloud', timeoutMs: 5_000 },
  'ht-api': { base: '/ht-api/api', timeoutMs: 45_000 },
} as const

export type Backend = keyof typeof backends

/**
 * Who may call an endpoint: anybody, any signed-in user, or a user with one of the permissions. In addition every query is
 * restricted to the caller's granted tree nodes.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'session' }
  | { readonly kind: 'permission'; readonly anyOf: readonly [Permission, ...Permission[]] }

/**
 * `changes`: alters the registry or the field, or starts or ends a session. `stores`: stores readings that the caller sends;
 * like readings over MQTT they are not in the operation log.
 */
export type Effect = 'reads' | 'changes' | 'stores'

type AccessOf<Kind extends Access['kind']> = Extract<Access, { readonly kind: Kind }>

export const publicAccess: AccessOf<'public'> = { kind: 'public' }
export const sessionAccess: AccessOf<'session'> = { kind: 'session' }
export const requiresPermission = (
  ...anyOf: readonly [Permission, ...Permission[]]
): AccessOf<'permission'> => ({ kind: 'permission', anyOf })

/**
 * How a call carries a file. `upload`: the body is a workbook (xlsx) and the input is in the query. `download`: the answer
 * is a file, or the envelope as JSON if the call fails; downloads are recorded in the operation log, like changes.
 */
export type FileKind = 'none' | 'upload' | 'download'

/** Media type of a workbook (xlsx). */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * A call. The server mounts it, the types of the console's client are derived from it, and OpenAPI and the permission tests
 * are generated from it. `input` is the body of a POST or the query of a GET; `output` is `data` of the envelope. `access`
 * has no default, so an endpoint without it does not compile.
 */
export interface Endpoint<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Allowed extends Access = Access,
  File extends FileKind = FileKind,
> {
  readonly backend: Backend
  readonly method: 'GET' | 'POST'
  /** Path below the backend's base, with a leading slash. */
  readonly path: `/${string}`
  /** One English sentence for the reference. */
  readonly summary: string
  readonly access: Allowed
  /** `changes` is recorded in the operation log, and the nodes it names must be inside the caller's grants. */
  readonly effect: Effect
  readonly input: Input
  readonly output: Output
  /** Absent for a call without a file. */
  readonly file?: File
  /** The downloaded file is a part of a page, such as a map, and not an export: it is not in the operation log. */
  readonly isPageContent?: true
  /**
   * `refused`: API keys cannot make the call, because its effect would exceed or outlive the key. `send-readings`: they need
   * this permission instead of those in `access`.
   */
  readonly apiKeys?: 'refused' | 'send-readings'
  /** The body may be packed with gzip. */
  readonly isPackable?: true
  /** Its own errors, beside those that any call can return. */
  readonly errors: readonly ErrorCode[]
}

export type InputOf<E extends Endpoint> = z.infer<E['input']>
export type OutputOf<E extends Endpoint> = z.infer<E['output']>

/** Declares an endpoint, so that the types of its schemas and its access are inferred. */
export const defineEndpoint = <
  Input extends z.ZodType,
  Output extends z.ZodType,
  Allowed extends Access,
  File extends FileKind = 'none',
>(
  endpoint: Endpoint<Input, Output, Allowed, File>,
): Endpoint<Input, Output, Allowed, File> => endpoint

/** Full path of an endpoint on the server. */
export const toUrlPath = (endpoint: Pick<Endpoint, 'backend' | 'path'>): string =>
  `${backends[endpoint.backend].base}${endpoint.path}`
