/**
 * Checks the packages that the project names and locks, without a network: licences, hashes, origin, scripts of an
 * installation, exact versions. Known weaknesses are the registry's: `npm run packages:audit`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readLock, root } from '../release/project.ts'
import { findPackageFaults } from './packages.ts'

const manifest = z.object({
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
  allowScripts: z.record(z.string(), z.boolean()).optional(),
})

const manifests = globSync(['package.json', '{apps,packages}/*/package.json'], { cwd: root }).map((path) =>
  manifest.parse(JSON.parse(readFileSync(join(root, path), 'utf8'))),
)
const locked = readLock()
const faults = findPackageFaults(locked, manifests)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else
  console.log(`Licences, hashes and versions of ${Object.keys(locked).length} packages are as they should be`)
