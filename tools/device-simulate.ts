/**
 * Simulated devices at any broker (docs/recipes/check-a-device.md): the reference client, once for each login.
 *
 *   npm run device:simulate -- --url mqtt://HOST:1883 --username TENANT/SERIAL --password PASSWORD [--valve SERIAL]
 *   npm run device:simulate -- --url mqtt://HOST:1883 --logins FILE.csv [--count 100] [--interval 60]
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startDevice } from '../clients/typescript/device.ts'
import { type GatewayLogin, readLogins } from './broker-logins/read-logins.ts'

/** Time for the last messages when it is stopped, ms. */
const STOP_MS = 2_000

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'mqtt://127.0.0.1:1883' },
    username: { type: 'string' },
    password: { type: 'string', default: '' },
    /** Serial of the valve; default: the gateway is the valve. */
    valve: { type: 'string' },
    /** List of passwords that the console exported. */
    logins: { type: 'string' },
    count: { type: 'string', default: '10000' },
    interval: { type: 'string', default: '60' },
    stroke: { type: 'string', default: '10' },
    /** Folder for what the devices store over a restart. */
    data: { type: 'string', default: '.data/devices' },
  },
})

function fail(problem: string): never {
  console.error(`device:simulate: ${problem}`)
  process.exit(2)
}

function listLogins(): readonly GatewayLogin[] {
  const { username, password, logins } = values
  if (logins !== undefined) return readLogins(readFileSync(logins, 'utf8'))
  return username === undefined ? [] : [{ username, password }]
}

const [interval, stroke] = [Number(values.interval), Number(values.stroke)]
const logins = listLogins().slice(0, Number(values.count))
if (logins.length === 0)
  fail('--username and --password, or --logins with a list exported by the console, are needed')
if (!(interval > 0) || !(stroke >= 0)) fail('--interval and --stroke are seconds')
mkdirSync(values.data, { recursive: true })
const stops = logins.map(({ username, password }) =>
  startDevice({
    url: values.url,
    username,
    password,
    valve: values.valve ?? username.slice(username.indexOf('/') + 1),
    file: join(values.data, `${username.replace('/', '-')}.json`),
    intervalMs: interval * 1_000,
    strokeMs: stroke * 1_000,
  }),
)
console.log(`${stops.length} devices report every ${interval} s to ${values.url}; Ctrl-C ends them`)

function stop(): void {
  setTimeout(() => process.exit(0), STOP_MS)
  Promise.allSettled(stops.map((end) => end())).then(() => process.exit(0))
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
