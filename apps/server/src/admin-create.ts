import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { coreMigrations } from './core.ts'
import { createAdministrator, findPasswordFault, seed } from './modules/session/index.ts'
import { databaseConfig } from './platform/config/tools.ts'
import { ConfigError, processEnvironment } from './platform/config.ts'
import { migratePostgres } from './platform/lifecycle/migrate.pg.ts'
import { createLog } from './platform/log.ts'
import { createDatabase } from './platform/postgres/database.pg.ts'

const USAGE = 'isotherm admin --account NAME   (the password is typed at the prompt, or read from a pipe)'

async function readPipe(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  const [password = '', ...more] = Buffer.concat(chunks).toString('utf8').split(/\r?\n/)
  if (more.some((line) => line !== ''))
    throw new ConfigError('the pipe has more than one line; send the password only')
  return password
}

/** Asks at the terminal. The terminal does not show a typed password. */
async function prompt(question: string, isSecret: boolean): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: true })
  try {
    const answer = terminal.question(question)
    // Stops the echo of typed keys.
    if (isSecret) Object.assign(terminal, { _writeToOutput: () => undefined })
    return await answer
  } finally {
    terminal.close()
    if (isSecret) process.stdout.write('\n')
  }
}

async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readPipe()
  const password = await prompt('Password (at least 10 characters): ', true)
  const again = await prompt('Again: ', true)
  if (password !== again) throw new ConfigError('the two passwords differ')
  return password
}

async function readAccount(): Promise<string> {
  const { values } = parseArgs({ options: { account: { type: 'string' } }, strict: true })
  const account = values.account ?? (process.stdin.isTTY ? await prompt('Account: ', false) : '')
  const trimmed = account.trim()
  if (!/^[^\s,]{1,64}$/.test(trimmed)) throw new ConfigError(`an account name is needed: ${USAGE}`)
  return trimmed
}

async function run(): Promise<void> {
  const config = databaseConfig(processEnvironment())
  const account = await readAccount()
  const password = await readPassword()
  const fault = findPasswordFault(account, password)
  if (fault !== undefined) throw new ConfigError(fault)
  const log = createLog({ logLevel: 'silent' })
  const db = createDatabase(config, log)
  try {
    await migratePostgres(db, coreMigrations, log)
    await seed(db)
    if (!(await createAdministrator(db, account, password))) {
      throw new ConfigError(`the account "${account}" exists already`)
    }
  } finally {
    await db.destroy()
  }
  console.log(`Administrator "${account}" created.`)
}

try {
  await run()
} catch (error) {
  console.error(`admin: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
