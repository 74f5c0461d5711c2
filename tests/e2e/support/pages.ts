import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findGuardedRoute, type PagePermission } from '@isotherm/contract/access/routes'
import { z } from 'zod'

const declaration = z.object({ path: z.string().startsWith('/') })

/** Path of a page, and the permission that the route table requires for it. */
export interface PageEntry {
  readonly path: string
  readonly permission: PagePermission | undefined
}

const features = join(import.meta.dirname, '../../../apps/console/src/features')

/** All pages of the console, read from the declarations of the features, so that new pages are tested automatically. */
export async function readPages(): Promise<readonly PageEntry[]> {
  const files = readdirSync(features)
    .map((feature) => join(features, feature, 'pages.ts'))
    .filter((file) => existsSync(file))
  const modules = await Promise.all(files.map((file): Promise<unknown> => import(pathToFileURL(file).href)))
  return modules
    .flatMap((module) => z.object({ pages: z.array(declaration) }).parse(module).pages)
    .map(({ path }) => ({ path, permission: findGuardedRoute(path)?.permission }))
}
