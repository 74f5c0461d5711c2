import type { TelemetryMessage } from '@isotherm/contract/mqtt'
import type { LoadGateway, LoadOrder } from './order.ts'

/** The metrics of a heat meter in the order of use; eight make a full report. */
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

/** All messages of a gateway for an order, as texts on the wire. */
export function readMessages(order: LoadOrder, node: LoadGateway): readonly string[] {
  const { childrenPerMessage, metricsPerChild, boot } = order
  return Array.from({ length: order.messagesPerGateway }, (_, seq) => {
    const ts = order.fromMs + seq
    const message: TelemetryMessage = {
      v: 1,
      boot,
      seq,
      ts,
      d: Array.from({ length: childrenPerMessage }, (_child, offset) => {
        const place = (seq * childrenPerMessage + offset) % node.children.length
        const values = meterMetrics
          .slice(0, metricsPerChild)
          .map((metric) => [metric, sampleOf(metric, seq + place)])
        return { id: node.children[place] ?? '', ts, m: Object.fromEntries(values) }
      }),
    }
    return JSON.stringify(message)
  })
}
