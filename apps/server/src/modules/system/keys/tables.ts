import type { Generated, GeneratedAlways } from 'kysely'

/** A key with which a program calls in the name of an account. */
export interface ApiKeyTable {
  id: GeneratedAlways<number>
  account_id: number
  name: string
  /** First characters of the key. */
  start: string
  /** SHA-256 of the key. It has 256 random bits, so that a fast hash is enough. */
  hash: Buffer
  permissions: string[]
  read_only: boolean
  /** Whether only the nodes in api_key_node are visible. */
  is_restricted: boolean
  calls_per_minute: number
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
  version: Generated<number>
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    api_key: ApiKeyTable
  }
}
