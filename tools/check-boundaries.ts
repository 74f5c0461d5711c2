/**
 * Checks the rules of the project: allowed imports, exclusive uses of drivers, clock and environment, sizes of files and
 * folders (ARCHITECTURE.md, CONTRIBUTING.md). Reads the features from disk, so a new one needs no entry here.
 *
 *   node tools/check-boundaries.ts [folder]
 */
import { join } from 'node:path'
import { checkTree } from './boundaries/check-tree.ts'
import { toMessage } from './boundaries/violation.ts'

const root = process.argv[2] ?? join(import.meta.dirname, '..')
const { files, violations } = checkTree(root)
for (const violation of violations) console.error(toMessage(violation))
if (violations.length > 0) {
  console.error(`\n${violations.length} boundary violations in ${files} files`)
  process.exitCode = 1
} else console.log(`Boundaries hold in ${files} files`)
