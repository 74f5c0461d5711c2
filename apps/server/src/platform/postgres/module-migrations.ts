import type { Migration } from 'kysely/migration'

/** Schema changes of one module, in the order they were written. A released name never changes. */
export interface ModuleMigrations {
  readonly module: string
  readonly migrations: Readonly<Record<string, Migration>>
}
