import { isHeadAt, OFFSET_TOLERANCE_K, OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { MetricName } from '@isotherm/contract/metrics'
import type { OrderMessage, ReplyMessage } from '@isotherm/contract/mqtt'
import type { CommandTarget } from '@isotherm/profiles/encode-by-profile'
import type { Order } from './journal.ts'

/** The target of an order in a profile, and the reading that shows its value. */
interface Target {
  readonly target: CommandTarget
  readonly metric: MetricName
  readonly isReached: (measured: number, value: number) => boolean
}

const isNear =
  (tolerance: number) =>
  (measured: number, value: number): boolean =>
    Math.abs(measured - value) <= tolerance

export const targets: Readonly<Record<Order, Target>> = {
  'valve.set': { target: 'opening', metric: 'valve.opening', isReached: isNear(OPENING_TOLERANCE_PCT) },
  'pump.set': { target: 'head', metric: 'pump.target', isReached: isHeadAt },
  'supply.set': { target: 'offset', metric: 'supply.offset', isReached: isNear(OFFSET_TOLERANCE_K) },
}

/** The commanded value of a message. */
export const toValue = (message: OrderMessage): number => {
  switch (message.do) {
    case 'valve.set':
      return message.args.opening
    case 'pump.set':
      return message.args.head
    case 'supply.set':
      return message.args.offset
  }
}

export const toResult = (order: Order, value: number): NonNullable<ReplyMessage['res']> => ({
  [targets[order].target]: value,
})

/** Whether a poll of the device shows what the order sets. */
export const isShown = ({ bus }: DeviceProfile, order: Order): boolean =>
  bus.readings.some(({ metric }) => metric === targets[order].metric)
