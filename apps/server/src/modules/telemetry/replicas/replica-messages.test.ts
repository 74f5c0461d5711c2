import { expect, test } from 'vitest'
import { decodeReplicaMessage, encodeReplicaMessage, type ReplicaMessage } from './replica-messages.ts'

const clock = {
  gatewayId: 7,
  state: 'wrong',
  correctionMs: -600_123,
  offsetMs: -600_400.5,
  judgedAt: 1,
} as const

test.each<ReplicaMessage>([
  { kind: 'readings', rows: Buffer.from([1, 2, 3]) },
  { kind: 'clocks', clocks: [clock, { ...clock, gatewayId: 8, state: 'right' }] },
  { kind: 'which-clocks' },
  { kind: 'refused', message: { gatewayId: 1, boot: 2, seq: 3 } },
  { kind: 'frames', message: { gatewayId: 1, boot: 2, seq: 3 } },
])('$kind are decoded as they were encoded', (message) => {
  expect(decodeReplicaMessage(encodeReplicaMessage(message))).toEqual(message)
})

test.each([
  ['nothing', []],
  ['a kind of another version', [9, 1]],
  ['clocks that are no JSON', [1, 0x7b]],
  ['a message that is none', [3, ...Buffer.from('{"node":1}')]],
  ['clocks that are none', [1, ...Buffer.from('[{"nodeId":1}]')]],
])('%s is rejected', (_name, bytes) => {
  expect(decodeReplicaMessage(Uint8Array.from(bytes))).toBeUndefined()
})
