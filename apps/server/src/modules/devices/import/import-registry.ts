import { type RegistryFile, registryFile } from '@isotherm/contract/network/registry-file'
import type { Transaction } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'
import { importStructure, RegistryFileError } from '../../network/index.ts'
import { importDevices } from './import-devices.pg.ts'

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
