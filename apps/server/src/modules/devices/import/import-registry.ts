import { type RegistryFile, registryFile } from '@isotherm/contract/network/registry-file'
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { importStructure, RegistryFileError } from '../../network/index.ts'
import { checkDevices, importDevices } from './import-devices.pg.ts'

/** Parses a registry file. Throws RegistryFileError with the place of the first fault. */
export function parseRegistryFile(text: string): RegistryFile {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (cause) {
    throw new RegistryFileError('the registry file is not JSON', { cause })
  }
  const parsed = registryFile.safeParse(raw)
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  throw new RegistryFileError(`the registry file is wrong at ${first?.path.join('.')}: ${first?.message}`)
}

/** Imports a checked file within a transaction. */
export async function importInto(transaction: Transaction<Tables>, file: RegistryFile): Promise<void> {
  const structure = await importStructure(transaction, file)
  await importDevices(transaction, structure, file.devices)
}

/**
 * Imports a company with its tree and devices in one transaction, so that listeners are notified of nodes and devices
 * together. A second import updates everything and keeps all ids; it removes nothing. Throws RegistryFileError.
 */
export async function importRegistry(db: Database, file: RegistryFile): Promise<void> {
  checkDevices(file)
  await db.transaction().execute((transaction) => importInto(transaction, file))
}
