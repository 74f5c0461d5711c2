import { createHash } from 'node:crypto'
import { toErrorText } from '@isotherm/contract/locales/error-text'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { type GuardPlaces, guardNothing } from '../../../platform/guard-places.ts'
import type { Log } from '../../../platform/log.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import { toSystemOperation } from '../../../platform/operation/operation.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { RegistryFileError } from '../../network/index.ts'
import { checkDevices } from './import-devices.pg.ts'
import { importInto, parseRegistryFile } from './import-registry.ts'

interface ImportContext {
  readonly db: Database
  readonly log: Log
  /** Unix ms. */
  readonly now: number
  readonly guardPlaces?: GuardPlaces | undefined
}

/** Calls a check of the file's effects. Throws RegistryFileError if it refuses them. */
async function toFileError(check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    const text = toErrorText('en', cause.code, { requestId: '-', ...cause.params })
    throw new RegistryFileError(text, { cause })
  }
}

/**
 * Imports the registry file that a server is started with. A file with unchanged text is not imported again, so later
 * edits by users stay. A changed file is imported and written to the operation log. A changed file that contradicts the
 * company's present registry is logged as an error and skipped, because the server must start. Throws RegistryFileError
 * for a wrong file of a new company.
 */
export async function importRegistryFile(
  text: string,
  { db, log, now, guardPlaces = guardNothing }: ImportContext,
): Promise<void> {
  const file = parseRegistryFile(text)
  const { tenant } = file.company
  const hash = createHash('sha256').update(text).digest()
  const known = await db.selectFrom('company').select('id').where('tenant', '=', tenant).executeTakeFirst()
  const last = await db
    .selectFrom('registry_file')
    .select('hash')
    .where('tenant', '=', tenant)
    .executeTakeFirst()
  if (last?.hash.equals(hash)) return
  const work: Parameters<typeof operate<void>>[2] = async (transaction) => {
    const requireInPlace = await guardPlaces(transaction)
    await importInto(transaction, file)
    await toFileError(requireInPlace)
    await sql`
      insert into registry_file (tenant, hash, imported_at) values (${tenant}, ${hash}, ${new Date(now)})
      on conflict (tenant) do update set hash = excluded.hash, imported_at = excluded.imported_at`.execute(
      transaction,
    )
  }
  try {
    checkDevices(file)
    // The import of a new company is not logged: one entry for each of its nodes would only fill the operation log.
    await (known
      ? operate(db, toSystemOperation('registry-file', now), work)
      : db.transaction().execute(work))
  } catch (error) {
    if (!known || !(error instanceof RegistryFileError)) throw error
    log.error(
      { err: error, tenant },
      'the registry file contradicts the present registry of the company and was skipped',
    )
  }
}
