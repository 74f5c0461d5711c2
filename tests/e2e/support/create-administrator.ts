import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { compiledBefore, gatherOutput, toProductEnv } from '../../../tools/product/start-product.ts'

const root = join(import.meta.dirname, '../../..')

/** Adds the first administrator of a data folder, as `isotherm admin` does with a password from a pipe. */
export async function createAdministrator(dataDir: string, account: string, password: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(root, 'apps/launcher/src/main.ts'), 'admin', '--account', account],
    { cwd: root, env: toProductEnv(dataDir, compiledBefore), stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const output = gatherOutput(child)
  child.stdin.end(`${password}\n`)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`admin ended with ${code}. It printed:\n${output()}`)
}
