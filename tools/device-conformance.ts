/**
 * Acts as the server for one device and reports which rules the device breaks (docs/recipes/check-a-device.md). Ends with
 * code 1 if it breaks a rule.
 *
 *   npm run device:conformance -- --gateway SERIAL [--tenant demo] [--port 1883] [--period 60] [--token] [--restart]
 */
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { toMqttUsername, topicPart } from '@isotherm/contract/mqtt'
import { createToken } from '../apps/server/src/platform/mqtt/gateway-access.ts'
import { toReport } from './conformance/findings.ts'
import { runConformance } from './conformance/run-conformance.ts'

const { values } = parseArgs({
  options: {
    tenant: { type: 'string', default: 'demo' },
    gateway: { type: 'string' },
    password: { type: 'string', default: randomBytes(32).toString('hex') },
    devices: { type: 'string', default: '' },
    host: { type: 'string', default: '0.0.0.0' },
    port: { type: 'string', default: '1883' },
    period: { type: 'string', default: '60' },
    stroke: { type: 'string', default: '120' },
    wait: { type: 'string', default: '300' },
    token: { type: 'boolean', default: false },
    restart: { type: 'boolean', default: false },
  },
})

function fail(problem: string): never {
  console.error(`device:conformance: ${problem}`)
  process.exit(2)
}

const { tenant, gateway = '', password } = values
if (!topicPart.safeParse(gateway).success || !topicPart.safeParse(tenant).success)
  fail('--gateway SERIAL is needed; --tenant and --gateway have 1 to 64 of the characters A-Z a-z 0-9 _ . -')
const token = values.token ? createToken() : undefined
const [period, stroke, wait] = [values.period, values.stroke, values.wait].map(Number)
if (!period || !stroke || !wait) fail('--period, --stroke and --wait are seconds')

async function askForRestart(): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  await terminal.question('Switch the device off and on again, then press Enter. ')
  terminal.close()
}

const started = Date.now()
const findings = await runConformance({
  host: values.host,
  port: Number(values.port),
  device: { tenant, gateway, password, token },
  devices: values.devices === '' ? [] : values.devices.split(','),
  limits: {
    connectMs: wait * 1_000,
    periodMs: period * 1_000,
    reconnectMs: 180_000,
    replyMs: 30_000,
    strokeMs: stroke * 1_000,
    historyMs: 300_000,
  },
  print: (text) =>
    console.log(`${String(Math.round((Date.now() - started) / 1_000)).padStart(5)} s  ${text}`),
  ready(port) {
    console.log('Configure the device with these credentials and start it:')
    console.log(`  port       ${port}, without TLS`)
    console.log(`  client id  ${toMqttUsername(tenant, gateway)}`)
    console.log(`  user name  ${toMqttUsername(tenant, gateway)}`)
    console.log(`  password   ${token === undefined ? password : `${token}, a one-time token`}`)
    console.log(`  topics     hx/v1/${tenant}/${gateway}/up/… and /down/#`)
  },
  ...(values.restart ? { restart: askForRestart } : {}),
}).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
console.log(toReport(findings))
process.exit(findings.broken.size === 0 ? 0 : 1)
