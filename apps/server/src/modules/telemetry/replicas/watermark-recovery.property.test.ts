import { setImmediate } from 'node:timers/promises'
import { ackMessage } from '@isotherm/contract/mqtt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createReplicaCodec } from '../../../platform/mqtt/replica-codec.ts'
import { soleOwner } from '../../../platform/replicas/owners.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createDeliveries } from '../delivery/deliveries.ts'
import { type StoredMessage, type StoredRun, toRun } from '../messages/message-key.ts'
import { createTestDirectory } from '../messages/sample-directory.testkit.ts'
import { createReplicaReceiver } from './replica-receiver.ts'
import { createReplicaSender } from './replica-sender.ts'

const REPLICAS = [0, 1, 2] as const
const GATEWAYS = [1, 5] as const
const BOOT = 1
/** Time from the last disturbance until every watermark must reach what is stored. */
const RECOVERY_MS = 30_000

/** One store, one bus, and replicas that can be killed between any two of their steps. */
function createPlant() {
  const clock = createTestClock()
  const directory = createTestDirectory()
  const stored: { readonly message: StoredMessage; readonly received: number }[] = []
  /** Last watermark by gateway. A gateway believes the last one, and deletes what it covers. */
  const watermarks = new Map<number, number>()
  const next = new Map<number, number>(GATEWAYS.map((id) => [id, 0]))
  const replicas = new Map<number, ReturnType<typeof startReplica>>()
  /** The stored snapshot: runs of all servers, and the mark of the last one. */
  const snapshot = { runs: [] as StoredRun[], mark: Number.NEGATIVE_INFINITY }

  const countStored = (gatewayId: number): number => {
    const numbers = new Set(
      stored.filter((row) => row.message.gatewayId === gatewayId).map((row) => row.message.seq),
    )
    let count = 0
    while (numbers.has(count)) count += 1
    return count
  }

  function startReplica(index: number) {
    const codec = createReplicaCodec('secret', clock)
    let isDropping = false
    const sender = createReplicaSender((body) => {
      const packet = codec.write(body)
      if (isDropping) return
      for (const [other, { receive }] of replicas) if (other !== index) receive(packet)
    })
    const deliveries = createDeliveries({
      clock,
      owners: soleOwner,
      findGateway: directory.findById,
      async publish(topic, payload) {
        if (!topic.endsWith('/ack')) return
        const { seq } = ackMessage.parse(JSON.parse(payload))
        const gatewayId = topic.includes('/c1/') ? GATEWAYS[0] : GATEWAYS[1]
        if (seq >= countStored(gatewayId)) throw new Error(`watermark ${seq} covers what is not stored`)
        watermarks.set(gatewayId, seq)
      },
      gapsOpened: () => undefined,
      gapsClosed: () => undefined,
    })
    const readSince = (since: number) => {
      for (const row of stored) if (row.received >= since) deliveries.recordDoneElsewhere(toRun(row.message))
    }
    const receiver = createReplicaReceiver({
      readStored: async (since) => readSince(since),
      readStoredFrames: async () => undefined,
      readLatest: async () => undefined,
      findDevice: directory.findById,
      sender,
      clocks: { learn: () => undefined, listJudged: () => [] },
      applyReadings: () => undefined,
      applyLatest: () => undefined,
      recordDone: deliveries.recordDoneElsewhere,
      recordFrames: () => undefined,
      takeDueGaps: () => [deliveries.takeDueGap()],
      clock,
      log: createLog({ logLevel: 'silent' }),
    })
    for (const run of snapshot.runs) deliveries.recordDoneElsewhere(run)
    // Without the margin of ten minutes: in this time the whole test would be read.
    readSince(snapshot.mark)
    receiver.watch()
    receiver.recordGap()
    return {
      receive(packet: Buffer) {
        const message = codec.read(packet)
        if (message?.missedSince !== undefined) receiver.recordGap(message.missedSince)
        if (message) receiver.receive(message.body)
      },
      report(message: StoredMessage, drop: boolean) {
        isDropping = drop
        deliveries.recordDone(message)
        // As `readings` packets do: the others note the message as done.
        sender.sendRefused(message)
        isDropping = false
      },
      storeSnapshot() {
        snapshot.runs.push(...deliveries.seen.listRuns())
        snapshot.mark = clock.now()
      },
      kill() {
        deliveries.close()
        receiver.close()
        replicas.delete(index)
      },
    }
  }

  const plant = {
    start(index: number) {
      if (!replicas.has(index)) replicas.set(index, startReplica(index))
    },
    /** The nth living replica accepts the next message of a gateway and stores it; then it reports that, its report is lost, or it dies. */
    take(gatewayId: number, nth: number, then: 'report' | 'lose-report' | 'die') {
      const living = [...replicas.values()]
      const replica = living[nth % living.length]
      if (!replica || (then === 'die' && living.length === 1)) return
      const seq = next.get(gatewayId) ?? 0
      next.set(gatewayId, seq + 1)
      const message = { gatewayId, boot: BOOT, seq }
      stored.push({ message, received: clock.now() })
      if (then === 'die') replica.kill()
      else replica.report(message, then === 'lose-report')
    },
    storeSnapshot(nth: number) {
      const living = [...replicas.values()]
      living[nth % living.length]?.storeSnapshot()
    },
    async wait(ms: number) {
      for (let passed = 0; passed < ms; passed += 250) {
        clock.advance(250)
        await setImmediate()
      }
    },
    watermarks,
    expected: () => new Map(GATEWAYS.map((id) => [id, countStored(id) - 1])),
    close() {
      for (const replica of [...replicas.values()]) replica.kill()
    },
  }
  for (const index of REPLICAS) plant.start(index)
  return plant
}

const gateway = fc.constantFrom(...GATEWAYS)
const index = fc.constantFrom(...REPLICAS)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('report' as const), gateway, index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose-report' as const), gateway, index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('die' as const), gateway, index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('start' as const), index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('snapshot' as const), index }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 250, max: 5_000 }) }),
  },
)

test('in any order of storing, reporting, dying and starting on a snapshot, watermarks reach what is stored, and never exceed it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const plant = createPlant()
      try {
        for (const each of steps) {
          if (each.kind === 'wait') await plant.wait(each.ms)
          else if (each.kind === 'start') plant.start(each.index)
          else if (each.kind === 'snapshot') plant.storeSnapshot(each.index)
          else plant.take(each.gateway, each.index, each.kind)
        }
        // The field goes on: each gateway sends one more message, which any living replica stores.
        for (const id of GATEWAYS) plant.take(id, 0, 'report')
        await plant.wait(RECOVERY_MS)
        expect(plant.watermarks).toEqual(plant.expected())
      } finally {
        plant.close()
      }
    }),
    { numRuns: 300 },
  )
})
