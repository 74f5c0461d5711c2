import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartRefused } from './options.ts'

const secret = z.string().min(16)
const secrets = z.object({
  postgres: secret,
  clickhouse: secret,
  mqtt: secret,
  /** Only after a restore of an installation that had ISOTHERM_FACTOR_SECRET. */
  factor: secret.optional(),
})
export type Secrets = z.infer<typeof secrets>

const fileOf = (dataDir: string) => join(dataDir, 'secrets.json')

/**
 * Passwords that the parts of the product use for each other. Created at the first start; only the owner of the folder can
 * read them.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const file = fileOf(dataDir)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartRefused(`cannot read ${file} (${error.code})`, { cause: error })
  })
  if (text === undefined) return createSecrets(dataDir)
  try {
    return secrets.parse(JSON.parse(text))
  } catch (cause) {
    throw new StartRefused(`${file} is damaged; restore it: the stores only accept its passwords`, {
      cause,
    })
  }
}

async function createSecrets(dataDir: string): Promise<Secrets> {
  const createSecret = () => randomBytes(24).toString('base64url')
  const made: Secrets = { postgres: createSecret(), clickhouse: createSecret(), mqtt: createSecret() }
  await writeSecrets(dataDir, made)
  return made
}

export async function writeSecrets(dataDir: string, content: Secrets): Promise<void> {
  const file = fileOf(dataDir)
  await writeFile(`${file}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Secrets for the environment of the server and its commands. Those of the environment have precedence. */
export const toSecretEnvironment = (
  { mqtt, factor }: Secrets,
  env: Readonly<Record<string, string | undefined>>,
) => ({
  ISOTHERM_MQTT_SECRET: env.ISOTHERM_MQTT_SECRET || mqtt,
  ISOTHERM_FACTOR_SECRET: env.ISOTHERM_FACTOR_SECRET || factor || '',
})
