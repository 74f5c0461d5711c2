import { parseArgs } from 'node:util'
import { topicPart } from '@isotherm/contract/mqtt'
import { z } from 'zod'
import { coreMigrations } from './core.ts'
import { type SeededCompany, seedCompany, toSubAccountNames } from './modules/seed/index.ts'
import { DEMO_PASSWORD, hashPassword, seed as seedRoles, toClientHash } from './modules/session/index.ts'
import { systemClock } from './platform/clock.ts'
import { databaseConfig } from './platform/config/tools.ts'
import { ConfigError, processEnvironment } from './platform/config.ts'
import { migratePostgres } from './platform/lifecycle/migrate.pg.ts'
import { createLog } from './platform/log.ts'
import { createDatabase } from './platform/postgres/database.pg.ts'

const USAGE = 'isotherm seed --households 100000 [--seed 1] [--tenant anju]'
const LOG_EVERY = 50_000

const argumentSchema = z.object({
  households: z.coerce.number().int().min(1).max(5_000_000),
  seed: z.coerce.number().int().min(0).max(4_294_967_295),
  tenant: topicPart,
})

function readArguments(): z.infer<typeof argumentSchema> {
  const { values } = parseArgs({
    options: {
      households: { type: 'string' },
      seed: { type: 'string', default: '1' },
      tenant: { type: 'string', default: 'anju' },
    },
    strict: true,
  })
  const parsed = argumentSchema.safeParse(values)
  if (parsed.success) return parsed.data
  throw new ConfigError(`--${parsed.error.issues[0]?.path.join('.')} is missing or cannot be used: ${USAGE}`)
}

/** Prints the progress every 50,000 nodes. */
function createProgressLog(): (nodes: number, devices: number) => void {
  let logged = 0
  return (nodes, devices) => {
    if (nodes - logged < LOG_EVERY) return
    logged = nodes
    console.log(`  ${nodes} nodes, ${devices} devices ...`)
  }
}

async function run(): Promise<void> {
  const options = readArguments()
  const config = databaseConfig(processEnvironment())
  const log = createLog({ logLevel: 'silent' })
  const db = createDatabase(config, log)
  const started = systemClock.now()
  let company: SeededCompany
  try {
    await migratePostgres(db, coreMigrations, log)
    await seedRoles(db)
    const passwordHash = await hashPassword(toClientHash(DEMO_PASSWORD))
    company = await seedCompany(db, { ...options, passwordHash }, createProgressLog())
  } finally {
    await db.destroy()
  }
  const seconds = Math.round((systemClock.now() - started) / 1000)
  console.log(
    `Company "${options.tenant}": ${company.nodes} nodes and ${company.devices} devices in ${seconds} s.`,
  )
  console.log(`Accounts in demo mode (${DEMO_PASSWORD}): ${toSubAccountNames(options.tenant).join(', ')}`)
}

try {
  await run()
} catch (error) {
  console.error(`seed: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
