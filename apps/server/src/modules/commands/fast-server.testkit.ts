/**
 * The whole server as a separate process with a faster clock, for tests that kill it: minutes of its clock pass in seconds.
 * Argument: the settings of the clock as JSON.
 */
import { z } from 'zod'
import { processEnvironment, readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/log.ts'
import { startServer } from '../../server.ts'
import { createFastClock } from './fast-clock.testkit.ts'

const settings = z.object({ syncedAt: z.number(), factor: z.number(), aheadMs: z.number() })
const config = readConfig(processEnvironment())
const clock = createFastClock(settings.parse(JSON.parse(process.argv[2] ?? '{}')))
const server = await startServer({ config, log: createLog(config), clock })
console.log(`ISOTHERM_READY ${JSON.stringify({ port: server.port, mqttPort: server.mqttPort })}`)
