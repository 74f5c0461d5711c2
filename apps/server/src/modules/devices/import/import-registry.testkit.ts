import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { checkDevices } from './import-devices.pg.ts'
import { importInto } from './import-registry.ts'

/**
 * Imports a company with its tree and devices in one transaction, so that listeners are notified of nodes and devices
 * together. A second import updates everything and keeps all ids; it removes nothing. Throws RegistryFileError.
 */
export async function importRegistry(db: Database, file: RegistryFile): Promise<void> {
  checkDevices(file)
  await db.transaction().execute((transaction) => importInto(transaction, file))
}
