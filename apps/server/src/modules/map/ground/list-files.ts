import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { groundFormat, type RefusedGroundFile } from '@isotherm/contract/network/map-ground'

/** A file in the folder of the map files. */
export interface ListedFile {
  /** As in GroundFile. */
  readonly file: string
  readonly path: string
  /** The folder of a company that contains it; undefined for a file of every company. */
  readonly tenant: string | undefined
}

/** Files and folders that cannot be read are refused with the same `tenant`. */
export interface Listing {
  readonly files: readonly ListedFile[]
  readonly unreadable: readonly (RefusedGroundFile & Pick<ListedFile, 'tenant'>)[]
}

/** Notes of people beside the map files. */
const notes: ReadonlySet<string> = new Set(['.md', '.txt'])

const isHidden = (name: string): boolean => name.startsWith('.')
const toEnding = (name: string): string => extname(name).toLowerCase()
const isMapFile = (name: string): boolean => !isHidden(name) && !notes.has(toEnding(name))
const hasFormat = (name: string): boolean => groundFormat.safeParse(toEnding(name).slice(1)).success

/** Contents of a folder by name; none if it does not exist. Throws if it cannot be read. */
async function listEntries(folder: string) {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const entries = names.toSorted().map(async (name) => {
    // Follows links. What cannot be examined counts as a file and is refused when it is read.
    const isFolder = await stat(join(folder, name)).then(
      (found) => found.isDirectory(),
      () => false,
    )
    return { name, isFolder }
  })
  return Promise.all(entries)
}

/** Tenants may begin with a dot. Other hidden folders are those of tools: only usable formats count there. */
async function listCompanyFiles(folder: string, tenant: string): Promise<Listing> {
  try {
    const entries = await listEntries(join(folder, tenant))
    const files = entries
      .filter(({ name, isFolder }) => !isFolder && isMapFile(name) && (!isHidden(tenant) || hasFormat(name)))
      .map(({ name }) => ({ file: `${tenant}/${name}`, path: join(folder, tenant, name), tenant }))
    return { files, unreadable: [] }
  } catch {
    return { files: [], unreadable: isHidden(tenant) ? [] : [{ file: tenant, fault: 'unreadable', tenant }] }
  }
}

/**
 * Lists the files right in a folder and in its sub-folders, which have the names of tenants. Does not throw: a folder that
 * cannot be read is itself in `unreadable`.
 */
export async function listFiles(folder: string): Promise<Listing> {
  const entries = await listEntries(folder).catch(() => undefined)
  if (!entries)
    return {
      files: [],
      unreadable: [{ file: basename(folder), fault: 'unreadable', tenant: undefined }],
    }
  const own = entries
    .filter(({ name, isFolder }) => !isFolder && isMapFile(name))
    .map(({ name }) => ({ file: name, path: join(folder, name), tenant: undefined }))
  const companies = await Promise.all(
    entries.filter(({ isFolder }) => isFolder).map(({ name }) => listCompanyFiles(folder, name)),
  )
  return {
    files: [...own, ...companies.flatMap(({ files }) => files)],
    unreadable: companies.flatMap(({ unreadable }) => unreadable),
  }
}
