import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
})

const FOLDER = 'node_modules/'

/**
 * The packages that the product needs to run, with version and licence as their authors declare it, from package-lock.json.
 * Packages for development only are left out. The about box of the console shows the table.
 */
export function toLicencesPage(root: string): string {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const rows = Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes(FOLDER) && !dev && !link)
    .map(([path, { version = '', license = 'not declared' }]) => {
      const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
      return `| ${name} | ${version} | ${license} |`
    })
  return [
    '<!-- Written by `npm run reference` from package-lock.json. Do not edit. -->',
    '',
    '# Licences',
    '',
    'The packages that the product needs to run, with the licence that their authors declare.',
    '',
    '| package | version | licence |',
    '| --- | --- | --- |',
    ...[...new Set(rows)].toSorted(),
    '',
  ].join('\n')
}
