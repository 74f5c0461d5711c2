import type { TelemetryMessage } from '@isotherm/contract/mqtt'
import type { LoadGateway, LoadSettings } from './load-settings.ts'

/** Metrics of a heat meter; a message uses the first ones, and a full report has all eight. */
const meterMetrics = [
  'heat.energy',
  'heat.volume',
  'heat.power',
  'heat.flow',
  'temp.supply',
  'temp.return',
  'bat.v',
  'rssi',
] as const

const sampleOf = (metric: (typeof meterMetrics)[number], step: number): number =>
  metric === 'rssi' ? -60 - (step % 40) : Number((2 + (step % 977) * 0.03).toFixed(3))

/** All messages of a gateway, as JSON texts. */
export function readMessages(settings: LoadSettings, gateway: LoadGateway): readonly string[] {
  const { childrenPerMessage, metricsPerChild, boot } = settings
  return Array.from({ length: settings.messagesPerGateway }, (_, seq) => {
    const ts = settings.fromMs + seq
    const message: TelemetryMessage = {
      v: 1,
      boot,
      seq,
      ts,
      d: Array.from({ length: childrenPerMessage }, (_child, offset) => {
        const place = (seq * childrenPerMessage + offset) % gateway.children.length
        const values = meterMetrics
          .slice(0, metricsPerChild)
          .map((metric) => [metric, sampleOf(metric, seq + place)])
        return { id: gateway.children[place] ?? '', ts, m: Object.fromEntries(values) }
      }),
    }
    return JSON.stringify(message)
  })
}
