/** Writes docs/reference from the contract: `npm run reference`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { referencePages } from './reference-pages.ts'

const folder = join(import.meta.dirname, '../docs/reference')
mkdirSync(folder, { recursive: true })
for (const [name, toPage] of Object.entries(referencePages)) writeFileSync(join(folder, name), toPage())
