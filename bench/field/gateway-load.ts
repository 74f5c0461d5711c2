import { encodeCjtHeatReply, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import { decodeByProfile } from '@isotherm/profiles/decode-by-profile'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { z } from 'zod'
import { toChildren } from '../../apps/gateway/src/field/to-children.ts'
import { limitHeap } from '../../apps/gateway/src/runtime/limit-heap.ts'
import { openStore } from '../../apps/gateway/src/store/open-store.ts'
import { createOutbox } from '../../apps/gateway/src/store/outbox.ts'
import { createSender } from '../../apps/gateway/src/uplink/sender.ts'
import { openUplink } from '../../apps/gateway/src/uplink/uplink.mqtt.ts'
import { toBusAddress } from './lines.ts'

/**
 * The work of a gateway from a meter's frame to the server's acknowledgement, without the sockets of its lines. Its
 * argument is JSON. Its last line of output is the time from the first frame until everything is acknowledged and
 * erased, s.
 */
const settings = z
  .object({
    url: z.string(),
    tenant: z.string(),
    gateway: z.string(),
    password: z.string(),
    folder: z.string(),
    serials: z.array(z.string()),
    readings: z.number(),
    fromMs: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'))

/** Maximum number of waiting readings, as on lines that deliver as fast as the server accepts. */
const MAX_QUEUED = 40_000
const AT_ONCE = 500

limitHeap()
const profile = shippedProfiles.find(({ id }) => id === 'heat-meter-cjt188')
if (profile === undefined) throw new Error('no profile')
const store = openStore(settings.folder)
const outbox = createOutbox({ store, now: Date.now, maxBytes: 1e9, onDropped: () => undefined })
const connected = Promise.withResolvers<void>()
const uplink = openUplink({
  ...settings,
  boot: () => outbox.boot,
  now: Date.now,
  onConnected: connected.resolve,
  onAck: (boot, seq) => sender.acknowledge(boot, seq),
  onCommand: () => undefined,
  onHistory: (args) => sender.request(args),
  onProblem: (text) => console.error(text),
})
const sender = createSender({
  outbox,
  now: Date.now,
  publish: uplink.publish,
  isConnected: uplink.isConnected,
  historyDelayMs: () => 0,
  onProblem: (text) => console.error(text),
})
await connected.promise
sender.connected()

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const frames = settings.serials.map((_, line) => {
  const address = toCjtAddress(toBusAddress(line))
  if (address === undefined) throw new Error('no address')
  return encodeCjtHeatReply(
    { address, sequence: line & 0xff },
    {
      settlementKwh: 100,
      energyKwh: 1_000 + line,
      powerKw: 9.5,
      flowM3h: 0.8123,
      volumeM3: 99.5,
      supplyTempC: 48.25,
      returnTempC: 38.1,
      hours: 4_321,
      clockMs: settings.fromMs,
      zoneMs: 0,
      status: 0,
    },
  )
})
const from = performance.now()
for (let at = 0; at < settings.readings; at++) {
  const line = at % frames.length
  const outcome = decodeByProfile(profile, frames[line] ?? new Uint8Array())
  if (outcome.kind !== 'readings') throw new Error('no readings')
  const serial = settings.serials[line] ?? ''
  const round = Math.floor(at / frames.length)
  const children = toChildren(serial, settings.fromMs + round, [outcome], 480)
  sender.add(children, { serial, slot: round, sequence: round })
  if (at % AT_ONCE === 0) await pause(0)
  while (outbox.size > MAX_QUEUED) await pause(5)
}
while (outbox.size > 0) await pause(5)
console.log(`GATEWAY_LOAD ${JSON.stringify({ seconds: (performance.now() - from) / 1_000 })}`)
sender.close()
await uplink.close()
store.close()
process.exit(0)
