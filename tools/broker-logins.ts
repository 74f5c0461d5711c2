/**
 * Writes the hashed passwords and permissions of an external broker from the list of hashes that the console exports
 * (the recipes connect-gateways-through-… in docs/recipes).
 *
 *   npm run broker:logins -- --for mosquitto|emqx|rabbitmq --logins FILE.csv --out FOLDER
 *
 * The password of the server is read from ISOTHERM_BROKER_PASSWORD; its user name is `isotherm`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrokerLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { toBrokerLogin } from '../apps/server/src/platform/mqtt/broker-hashes.ts'
import {
  type BrokerFiles,
  listUnfitForRabbit,
  toEmqx,
  toMosquitto,
  toRabbit,
} from './broker-logins/broker-files.ts'
import { BrokenLine, readBrokerLogins } from './broker-logins/read-logins.ts'

const { values } = parseArgs({
  options: {
    for: { type: 'string', default: '' },
    logins: { type: 'string', default: '' },
    out: { type: 'string', default: '' },
    server: { type: 'string', default: 'isotherm' },
  },
})

function fail(problem: string): never {
  console.error(`broker:logins: ${problem}`)
  process.exit(2)
}

const writers: Readonly<
  Record<string, (logins: readonly BrokerLogin[], server: BrokerLogin) => BrokerFiles>
> = {
  mosquitto: toMosquitto,
  emqx: toEmqx,
  rabbitmq: toRabbit,
}
const write = writers[values.for]
if (!write) fail(`--for must be one of ${Object.keys(writers).join(', ')}`)
if (values.logins === '' || values.out === '') fail('--logins FILE.csv and --out FOLDER are needed')
const password = process.env.ISOTHERM_BROKER_PASSWORD ?? ''
if (password === '') fail('ISOTHERM_BROKER_PASSWORD, the password of the server at the broker, is needed')

/** The logins of a file; ends the program if a line is broken. */
function readFile(file: string): readonly BrokerLogin[] {
  try {
    return readBrokerLogins(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof BrokenLine) fail(`${file}: ${error.message}; export the list again`)
    throw error
  }
}

const logins = readFile(values.logins)
if (logins.length === 0)
  fail(`${values.logins} has no hashes; export them by "Hashes for a broker" on the page of concentrators`)
const unfit = values.for === 'rabbitmq' ? listUnfitForRabbit(logins) : []
if (unfit.length > 0) fail(`RabbitMQ cannot carry names with a dot: ${unfit.slice(0, 5).join(', ')}`)
mkdirSync(values.out, { recursive: true })
for (const [name, text] of Object.entries(
  write(logins, toBrokerLogin({ username: values.server, password })),
))
  writeFileSync(join(values.out, name), text, { mode: 0o600 })
console.log(`${logins.length} gateways written to ${values.out}`)
