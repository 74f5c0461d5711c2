import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { permissionNamesZh } from '@isotherm/contract/locales/access/permissions.zh'

const seeded: ReadonlyMap<string, string> = new Map(Object.entries(permissionNamesZh))

/**
 * Names that administrators gave to modules, by permission value. A module with its default name is left out, because
 * the console names it in the user's language.
 */
export const findOwnNames = (modules: readonly ModuleItem[]): ReadonlyMap<string, string> =>
  new Map(
    modules
      .filter(({ name, url }) => name.trim() !== '' && name !== seeded.get(url))
      .map(({ name, url }) => [url, name]),
  )
