import type { TelemetryMessage } from '@isotherm/contract/mqtt'
import mqtt from 'mqtt'
import { toLogin, toTopic, toValve } from './company.ts'
import type { FieldSettings } from './settings.ts'

/** The devices as a separate process: every concentrator reports all of its valves once per period, at its own time. */
const settings: FieldSettings = JSON.parse(process.argv[2] ?? '{}')

const clients = await Promise.all(
  Array.from({ length: settings.concentrators }, (_, index) =>
    mqtt.connectAsync(settings.url, toLogin(index, settings.secret)),
  ),
)

const report = (index: number, seq: number): string => {
  const ts = Date.now()
  const message: TelemetryMessage = {
    v: 1,
    boot: 1,
    seq,
    ts,
    d: Array.from({ length: settings.valves }, (_, at) => ({
      id: toValve(index, at),
      ts,
      m: { 'valve.opening': (seq + at) % 100, 'temp.supply': 45, 'temp.return': 38 + ((seq + at) % 10) / 10 },
    })),
  }
  return JSON.stringify(message)
}

for (const [index, client] of clients.entries()) {
  let seq = 0
  const send = () => client.publish(toTopic(index), report(index, seq++), { qos: 1 })
  setTimeout(
    () => {
      send()
      setInterval(send, settings.periodMs)
    },
    (index * settings.periodMs) / clients.length,
  )
}
console.log('FIELD on its way')
process.on('disconnect', () => process.exit(0))
