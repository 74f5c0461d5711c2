import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { permissions } from '@isotherm/contract/permissions'
import { z } from 'zod'

/** What a test needs of the console's declaration of a page. */
const pageEntry = z.object({
  path: z.string().startsWith('/'),
  permission: z.enum(permissions.map(String)).optional(),
  group: z.string().optional(),
})
export type PageEntry = z.infer<typeof pageEntry>

const features = join(import.meta.dirname, '../../../apps/console/src/features')

/** Every page of the console, read from the features' own declarations: a new page is tested without an entry here. */
export async function readPages(): Promise<readonly PageEntry[]> {
  const files = readdirSync(features)
    .map((feature) => join(features, feature, 'pages.ts'))
    .filter((file) => existsSync(file))
  const modules = await Promise.all(files.map((file): Promise<unknown> => import(pathToFileURL(file).href)))
  return modules.flatMap((module) => z.object({ pages: z.array(pageEntry) }).parse(module).pages)
}
