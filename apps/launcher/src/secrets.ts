import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartRefused } from './options.ts'

const secret = z.string().min(16)
const secrets = z.object({ postgres: secret, clickhouse: secret, mqtt: secret })
export type Secrets = z.infer<typeof secrets>

/**
 * Passwords that the parts of the product use for each other. Created at the first start; only the owner of the folder can
 * read them.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartRefused(`cannot read ${file} (${error.code})`, { cause: error })
  })
  if (text === undefined) return createSecrets(file)
  try {
    return secrets.parse(JSON.parse(text))
  } catch (cause) {
    throw new StartRefused(`${file} is damaged; restore it: the stores only accept its passwords`, {
      cause,
    })
  }
}

async function createSecrets(file: string): Promise<Secrets> {
  const createSecret = () => randomBytes(24).toString('base64url')
  const made: Secrets = { postgres: createSecret(), clickhouse: createSecret(), mqtt: createSecret() }
  await writeFile(`${file}.new`, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return made
}
